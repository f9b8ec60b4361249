import HTTPServer
import Store

/// What a change depends on: `If-Match` and `If-None-Match` (RFC 9110 section 13.1). Dates are left
/// out, because nothing here has one to compare with.
struct Preconditions {
  private let match: EntityTags?
  private let noneMatch: EntityTags?

  init(_ request: Request) {
    match = request.fields.list("If-Match").map(EntityTags.init)
    noneMatch = request.fields.list("If-None-Match").map(EntityTags.init)
  }

  var isEmpty: Bool { match == nil && noneMatch == nil }

  /// Throws a 412 unless what is there, or not, is what the client supposes.
  func check(_ current: ETag?) throws(APIProblem) {
    if let match {
      guard let current else {
        throw APIProblem(
          .preconditionFailed, "It is not there, so it has no ETag that could match.")
      }
      guard match.contains(current) else {
        throw APIProblem(
          .preconditionFailed, "It has changed since: its ETag is \(current) now.")
      }
    }
    if let current, noneMatch?.containsWeakly(current) == true {
      throw APIProblem(
        .preconditionFailed, "It has an ETag that If-None-Match excludes: \(current).")
    }
  }
}
