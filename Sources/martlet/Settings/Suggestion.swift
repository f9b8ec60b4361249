/// What somebody may have meant who wrote a name that is none.
enum Suggestion {
  /// `; did you mean --port?`, or where nothing is near, where all of them are told.
  static func text(for word: String, among known: [String], else all: String) -> String {
    let ranked = known.map { (name: $0, distance: distance(word, $0)) }
    guard let nearest = ranked.min(by: { $0.distance < $1.distance }),
      nearest.distance <= max(2, word.count / 3)
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
}
