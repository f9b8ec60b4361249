/// What somebody may have meant who wrote a name, or a path, that is none.
package enum Suggestion {
  /// `; did you mean --port?`, or where nothing is near, where all of them are told.
  package static func text(for word: String, among known: [String], else all: String) -> String {
    // What a client sends may be long: to compare it takes as long as that.
    guard word.utf8.count <= 64 else { return "; \(all)" }
    let ranked = known.map { (name: $0, distance: distance(word, $0)) }
    guard let nearest = ranked.min(by: { $0.distance < $1.distance }),
      nearest.distance <= max(2, word.utf8.count / 3)
    else { return "; \(all)" }
    return "; did you mean \(nearest.name)? \(all)"
  }

  /// How many letters have to be put in, taken out or replaced.
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

  /// The longest path that is compared with others, in bytes.
  private static let longest = 256

  /// A path like `path` that fits one of the patterns: with the prefix that it lacks, without a slash at its end, in
  /// the patterns' case, with misspelt words put right. What stands for a parameter stays. `nil` where none is near.
  static func path(for path: String, among patterns: [Pattern]) -> String? {
    guard path.utf8.count <= longest else { return nil }
    let given = path.split(separator: "/").map { Word(String($0)) }
    guard !given.isEmpty else { return nil }
    var best: (path: String, cost: Int)?
    for pattern in patterns {
      // `/reminders` where the pattern is `/v1/reminders`.
      for isShort in [false, true] where given.count + (isShort ? 1 : 0) == pattern.words.count {
        guard let near = fit(given, pattern, isShort: isShort), near.path != path else { continue }
        if best.map({ near.cost < $0.cost }) ?? true { best = near }
      }
    }
    return best?.path
  }

  /// A route's pattern, made ready for comparing.
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

  /// `isShort`: without the pattern's first word.
  private static func fit(
    _ given: [Word], _ pattern: Pattern, isShort: Bool
  ) -> (path: String, cost: Int)? {
    let words = pattern.words.dropFirst(isShort ? 1 : 0)
    // Some word of it has to be a pattern's, not of those alone that anything stands for.
    guard words.contains(where: { !$0.isParameter }) else { return nil }
    if isShort, pattern.words[0].isParameter { return nil }
    var path = isShort ? "/" + pattern.words[0].text : ""
    var cost = isShort ? 1 : 0
    for (word, known) in zip(given, words) {
      if known.isParameter {
        path += "/" + word.text
        // What is said word for word is nearer than what stands for anything.
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
