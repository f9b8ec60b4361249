/// What somebody may have meant who wrote a name, or a path, that is none.
package enum Suggestion {
  /// `; did you mean --port?`, or where nothing is near, where all of them are told.
  package static func text(for word: String, among known: [String], else all: String) -> String {
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
  static func path(for path: String, among patterns: [String]) -> String? {
    guard path.utf8.count <= longest else { return nil }
    let given = path.split(separator: "/").map(String.init)
    guard !given.isEmpty else { return nil }
    var best: (path: String, cost: Int)?
    for pattern in patterns {
      let segments = pattern.split(separator: "/").map(String.init)
      // `/reminders` where the pattern is `/v1/reminders`.
      for prefix in [[], Array(segments.prefix(1))] where !prefix.contains(where: isParameter) {
        // Some word of it has to be a pattern's, not of those alone that anything stands for.
        guard segments.dropFirst(prefix.count).contains(where: { !isParameter($0) }),
          let near = fit(prefix + given, segments), near.path != path
        else { continue }
        let cost = near.cost + (prefix.isEmpty ? 0 : 1)
        if best.map({ cost < $0.cost }) ?? true { best = (near.path, cost) }
      }
    }
    return best?.path
  }

  private static func isParameter(_ segment: String) -> Bool { segment.hasPrefix("{") }

  private static func fit(_ given: [String], _ segments: [String]) -> (path: String, cost: Int)? {
    guard given.count == segments.count else { return nil }
    var path = ""
    var cost = 0
    for (word, segment) in zip(given, segments) {
      if isParameter(segment) {
        path += "/" + word
        // What is said word for word is nearer than what stands for anything.
        cost += 1
        continue
      }
      let far = distance(word.lowercased(), segment.lowercased())
      guard far <= max(1, segment.utf8.count / 4) else { return nil }
      path += "/" + segment
      cost += 2 * far
    }
    return (path, cost)
  }
}
