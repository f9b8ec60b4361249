import MartletHTTP
import MartletLiveQueries
import MartletStore

/// What a request depends on: `If-Match` and `If-None-Match` (RFC 9110 section 13.1). Dates are left
/// out, because nothing here has one to compare with.
struct Preconditions {
  private let match: EntityTags?
  private let noneMatch: EntityTags?

  init(_ request: Request) {
    match = request.fields.list("If-Match").map(EntityTags.init)
    noneMatch = request.fields.list("If-None-Match").map(EntityTags.init)
  }

  private init() {
    match = nil
    noneMatch = nil
  }

  static let none = Preconditions()

  var isEmpty: Bool { match == nil && noneMatch == nil }

  /// Throws a 412 unless what is there, or not, is what a change supposes, and a 400 where the request does not say
  /// what it supposes.
  func check(_ current: ETag?) throws(APIProblem) {
    try checkForm()
    try checkMatch(current)
    if let current, excludes(current) {
      throw APIProblem(
        .preconditionFailed, "It has an ETag that If-None-Match excludes: \(current).")
    }
  }

  /// Throws a 400 where a field is no list of entity tags: what it was to guard against is not known.
  func checkForm() throws(APIProblem) {
    for (name, tags) in [("If-Match", match), ("If-None-Match", noneMatch)] {
      guard let wrong = tags?.malformed else { continue }
      throw APIProblem(
        .badRequest,
        "\(name) is * or a list of ETags in quotation marks, \"0123456789abcdef\"; got \(shown(wrong))."
      )
    }
  }

  /// Throws a 412 unless `If-Match` names what is there.
  func checkMatch(_ current: ETag?) throws(APIProblem) {
    guard let match else { return }
    guard let current else {
      throw APIProblem(.preconditionFailed, "It is not there, so it has no ETag that could match.")
    }
    guard match.contains(current) else {
      throw APIProblem(.preconditionFailed, "It has changed since: its ETag is \(current) now.")
    }
  }

  /// Whether `If-None-Match` names it: a reader has it already.
  func excludes(_ current: ETag) -> Bool { noneMatch?.containsWeakly(current) == true }
}
