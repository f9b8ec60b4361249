import FoundationEssentials
import MartletHTTP
import MartletTime

extension Response {
  /// A response with `value` as JSON, for routes that an `async` function answers
  /// (``Route/async(_:_:needs:parts:_:)``).
  ///
  /// The members of an object are sorted by name. A `Date` or `Instant` is a string in RFC 3339
  /// format, as in all other responses. Throws if `value` contains a number that JSON does not
  /// have.
  public static func json(_ value: some Encodable, _ status: Status = .ok) throws -> Response {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
      guard let whole = Int64(exactly: milliseconds) else {
        throw EncodingError.invalidValue(
          date, .init(codingPath: encoder.codingPath, debugDescription: "not an instant"))
      }
      try Instant(milliseconds: whole).encode(to: encoder)
    }
    return Response(
      status, Fields(["Content-Type": "application/json"]),
      body: .bytes(Array(try encoder.encode(value))))
  }
}
