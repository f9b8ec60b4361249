/// The languages that a client prefers: the `Accept-Language` field (RFC 9110 section 12.5.4).
public struct AcceptLanguage: Sendable {
  /// Language ranges in lowercase, with their weights in thousandths.
  private var ranges: [(language: String, quality: Int)] = []

  /// Parses the value of an `Accept-Language` field. `nil` and an empty value prefer no language.
  /// Malformed members are ignored.
  ///
  /// - Parameter field: The value, such as `de-AT, en;q=0.5`.
  public init(_ field: String?) {
    guard var field else { return }
    var found: [(language: String, quality: Int)] = []
    field.withUTF8 {
      QualityList.visit($0) { name, quality in
        found.append((name.text.lowercased(), quality))
      }
    }
    ranges = found
  }

  /// Languages in the order in which the client prefers them. The ones that it weighs equally, or
  /// does not name, keep their order.
  ///
  /// - Parameter languages: Codes without a region, such as `de`. A range with a region counts for
  ///   its language.
  public func sorted(_ languages: [String]) -> [String] {
    languages.enumerated().map { (place: $0.offset, language: $0.element) }
      .sorted { left, right in
        let (first, second) = (rank(of: left.language), rank(of: right.language))
        if first.quality != second.quality { return first.quality > second.quality }
        return (first.place, left.place) < (second.place, right.place)
      }
      .map(\.language)
  }

  /// Whether the client accepts a language.
  ///
  /// - Parameter language: A code without a region, such as `de`.
  public func accepts(_ language: String) -> Bool { rank(of: language).quality > 0 }

  /// The weight of a language, and its place in the field. `*` counts for what has no range.
  private func rank(of language: String) -> (quality: Int, place: Int) {
    func best(_ matches: (String) -> Bool) -> (quality: Int, place: Int)? {
      ranges.enumerated().filter { matches($0.element.language) }
        .map { (quality: $0.element.quality, place: $0.offset) }
        .min { ($1.quality, $0.place) < ($0.quality, $1.place) }
    }
    return best { $0 == language || $0.hasPrefix(language + "-") } ?? best { $0 == "*" }
      ?? (0, ranges.count)
  }
}
