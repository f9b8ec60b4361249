/// Finds the known name or path closest to a misspelled one.
package enum Suggestion {
  /// The end of a message about an unknown name: `; did you mean --port?` if a known name is close,
  /// followed by `all`, which lists the known names or says where to find them.
  package static func text(for word: String, among known: [String], else all: String) -> String {
    // The cost of a comparison grows with the length of the word, which the client chooses.
    guard word.utf8.count <= 64 else { return "; \(all)" }
    let ranked = known.map { (name: $0, distance: distance(word, $0)) }
    guard let nearest = ranked.min(by: { $0.distance < $1.distance }),
      nearest.distance <= max(2, word.utf8.count / 3)
    else { return "; \(all)" }
    return "; did you mean \(nearest.name)? \(all)"
  }

  // MARK: Parameters

  /// The end of a message about an unknown query parameter.
  ///
  /// For a word that other APIs use, suggests the parameter with that meaning here. The nearest
  /// name by letters would mislead: `page` is near to `tag`.
  static func parameter(for word: String, among known: [String], else all: String) -> String {
    let plain = String(word.lowercased().filter { $0 != "_" && $0 != "-" }.prefix(64))
    guard !known.contains(plain), let meant = synonyms[plain] else {
      return text(for: word, among: known, else: all)
    }
    guard let name = meant.first(where: known.contains) else { return "; \(all)" }
    return name == "cursor"
      ? "; for the next page send cursor with the nextCursor of this page; \(all)"
      : "; did you mean \(name)? \(all)"
  }

  /// Words of other APIs, in lower case and without `_` and `-`, and the parameters that they may
  /// stand for here. The first one that the route accepts is meant.
  private static let synonyms: [String: [String]] = {
    var all: [String: [String]] = [:]
    for (words, names) in [
      (
        "page p pageno pagenumber pagenum pageindex pagetoken nexttoken nextpage nextcursor next "
          + "token continuation offset skip start startindex startingafter",
        ["cursor"]
      ),
      (
        "perpage pagesize pagelimit size count first top take max maxresults maxitems num n rows "
          + "results resultsperpage",
        ["limit"]
      ),
      ("query search text term terms keyword keywords filter find contains s", ["q"]),
      ("order orderby orderdir ordering sortby sortorder sorting dir direction", ["sort"]),
      ("withtotal includetotal totalcount withcount includecount", ["total"]),
      ("tz zone", ["timeZone"]),
    ] {
      for word in words.split(separator: " ") { all[String(word), default: []] += names }
    }
    return all
  }()

  /// The Levenshtein distance in bytes: insertions, deletions and substitutions.
  private static func distance(_ one: String, _ other: String) -> Int {
    let other = Array(other.utf8)
    var row = Array(0...other.count)
    for (line, letter) in one.utf8.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for column in other.indices {
        let replaced = diagonal + (other[column] == letter ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[other.count]
  }

  // MARK: Paths

  /// The maximum length of a path that is compared, in bytes.
  private static let longest = 256

  /// The path closest to `path` that matches one of the patterns; `nil` if none is close.
  ///
  /// It adds a missing first segment (`/reminders` becomes `/v1/reminders`), removes a trailing
  /// slash, and corrects case and misspelled segments. Values of parameters are left as they are.
  static func path(for path: String, among patterns: [Pattern]) -> String? {
    guard path.utf8.count <= longest else { return nil }
    let given = path.split(separator: "/").map { Word(String($0)) }
    guard !given.isEmpty else { return nil }
    var best: (path: String, cost: Int)?
    for pattern in patterns {
      // `/reminders` may stand for the pattern `/v1/reminders`.
      for isShort in [false, true] where given.count + (isShort ? 1 : 0) == pattern.words.count {
        guard let near = fit(given, pattern, isShort: isShort), near.path != path else { continue }
        if best.map({ near.cost < $0.cost }) ?? true { best = near }
      }
    }
    return best?.path
  }

  /// A route's pattern, split into segments for comparison.
  struct Pattern {
    fileprivate let words: [Word]

    init(_ pattern: String) { words = pattern.split(separator: "/").map { Word(String($0)) } }
  }

  fileprivate struct Word {
    let text: String
    let lowercased: String
    var isParameter: Bool { text.utf8.first == UInt8(ascii: "{") }

    init(_ text: String) {
      self.text = text
      lowercased = text.lowercased()
    }
  }

  /// The path that matches `pattern` and how far `given` is from it; `nil` if it is too far.
  /// `isShort` means that `given` lacks the pattern's first segment.
  private static func fit(
    _ given: [Word], _ pattern: Pattern, isShort: Bool
  ) -> (path: String, cost: Int)? {
    let words = pattern.words.dropFirst(isShort ? 1 : 0)
    // At least one segment of the pattern must be literal, because a parameter matches anything.
    guard words.contains(where: { !$0.isParameter }) else { return nil }
    if isShort, pattern.words[0].isParameter { return nil }
    var path = isShort ? "/" + pattern.words[0].text : ""
    var cost = isShort ? 1 : 0
    for (word, known) in zip(given, words) {
      if known.isParameter {
        path += "/" + word.text
        // Prefer literal segments to parameters.
        cost += 1
        continue
      }
      let most = max(1, known.text.utf8.count / 4)
      guard abs(word.text.utf8.count - known.text.utf8.count) <= most else { return nil }
      let far = distance(word.lowercased, known.lowercased)
      guard far <= most else { return nil }
      path += "/" + known.text
      cost += 2 * far
    }
    return (path, cost)
  }
}
