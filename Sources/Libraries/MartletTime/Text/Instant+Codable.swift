/// Encoded as RFC 3339 text, such as `2026-11-20T15:36:00.000Z`.
extension Instant: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do throws(RFC3339.Problem) {
      self = try RFC3339.parse(text)
    } catch {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "expected an instant (2026-11-20T15:36:00Z): \(error)")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(RFC3339.string(self))
  }
}
