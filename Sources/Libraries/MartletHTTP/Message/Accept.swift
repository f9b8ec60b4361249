/// The media types that a client accepts: the `Accept` field (RFC 9110 section 12.5.1).
///
/// Malformed members are ignored. If no member is left, everything is accepted.
public struct Accept: Sendable {
  private struct Range: Sendable {
    let type: String
    let subtype: String
    let quality: Int
    /// 0 for `*/*`, 1 for `type/*`, 2 for `type/subtype`.
    let precision: Int
  }

  private var ranges: [Range] = []

  /// Parses the value of an `Accept` field. `nil` and an empty value accept everything.
  public init(_ field: String?) {
    guard var field else { return }
    var found: [Range] = []
    field.withUTF8 {
      QualityList.visit($0) { name, quality in
        let parts = name.text.lowercased().split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty,
          parts[0] != "*" || parts[1] == "*"
        else { return }
        let precision = parts[0] == "*" ? 0 : parts[1] == "*" ? 1 : 2
        found.append(
          Range(
            type: String(parts[0]), subtype: String(parts[1]), quality: quality,
            precision: precision))
      }
    }
    ranges = found
  }

  /// Whether the field restricts nothing: it is missing, or has no well-formed member.
  public var acceptsEverything: Bool { ranges.isEmpty }

  /// The weight of `type` in thousandths, from the most precise range that matches it. 0 if it is
  /// not accepted.
  public func quality(of type: MediaType) -> Int {
    if ranges.isEmpty { return 1000 }
    var best: Range?
    for range in ranges where matches(range, type) {
      if best.map({ range.precision > $0.precision }) ?? true { best = range }
    }
    return best?.quality ?? 0
  }

  /// Whether the field lists `type` by its full name with a weight above 0.
  public func names(_ type: MediaType) -> Bool {
    ranges.contains { $0.precision == 2 && $0.quality > 0 && matches($0, type) }
  }

  /// The offer with the highest weight, or the first of several. `nil` if none is accepted.
  public func best(of offers: [MediaType]) -> MediaType? {
    var best: (type: MediaType, quality: Int)?
    for offer in offers {
      let quality = quality(of: offer)
      if quality > best?.quality ?? 0 { best = (offer, quality) }
    }
    return best?.type
  }

  private func matches(_ range: Range, _ type: MediaType) -> Bool {
    range.precision == 0
      || range.type == type.type && (range.precision == 1 || range.subtype == type.subtype)
  }
}
