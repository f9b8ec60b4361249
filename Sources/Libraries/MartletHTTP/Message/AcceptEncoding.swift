/// The content codings that a client accepts: the `Accept-Encoding` field (RFC 9110 section
/// 12.5.3).
public struct AcceptEncoding: Sendable {
  private var gzip: Int?
  private var identity: Int?
  private var any: Int?

  /// Parses the value of an `Accept-Encoding` field. `nil` and an empty value accept no coding.
  /// Malformed members are ignored.
  public init(_ field: String?) {
    guard var field else { return }
    var copy = self
    field.withUTF8 {
      QualityList.visit($0) { name, quality in
        if name.equalsIgnoringCase("gzip") || name.equalsIgnoringCase("x-gzip") {
          copy.gzip = quality
        } else if name.equalsIgnoringCase("identity") {
          copy.identity = quality
        } else if name.equals("*") {
          copy.any = quality
        }
      }
    }
    self = copy
  }

  /// Whether gzip is accepted and its weight is at least that of uncompressed content. The server
  /// sends uncompressed content even when `identity;q=0` forbids it.
  public var prefersGzip: Bool {
    let compressed = gzip ?? any ?? 0
    guard compressed > 0 else { return false }
    // `identity` is accepted unless it is forbidden. If the field does not list it, gzip is
    // preferred.
    return compressed >= identity ?? 0
  }
}
