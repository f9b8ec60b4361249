import MartletHTTP
import MartletLiveQueries
import MartletStore

/// The preconditions of a request: `If-Match` and `If-None-Match` (RFC 9110 section 13.1). Dates
/// are ignored because results have no modification date.
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

  /// Throws a 412 if the preconditions of a change do not hold for the current state, and a 400 if
  /// a field is malformed. `current` is `nil` if the resource does not exist.
  func check(_ current: ETag?) throws(APIProblem) {
    try checkForm()
    try checkMatch(current)
    if let current, excludes(current) {
      throw APIProblem(
        .preconditionFailed, "If-None-Match failed: the resource exists with the ETag \(current).")
    }
  }

  /// Throws a 400 if a field is not a list of entity tags, because it is unclear what it should
  /// guard against.
  func checkForm() throws(APIProblem) {
    for (name, tags) in [("If-Match", match), ("If-None-Match", noneMatch)] {
      guard let wrong = tags?.malformed else { continue }
      throw APIProblem(
        .badRequest,
        "\(name) must be * or a list of ETags in quotation marks, such as \"0123456789abcdef\"; got \(shown(wrong))."
      )
    }
  }

  /// Throws a 412 unless `If-Match` contains the current tag.
  func checkMatch(_ current: ETag?) throws(APIProblem) {
    guard let match else { return }
    guard let current else {
      throw APIProblem(.preconditionFailed, "If-Match cannot match: the resource does not exist.")
    }
    guard match.contains(current) else {
      throw APIProblem(
        .preconditionFailed,
        "If-Match failed: the resource has changed and its ETag is now \(current). Read it again.")
    }
  }

  /// Whether `If-None-Match` contains the current tag, which means that the client already has the
  /// result.
  func excludes(_ current: ETag) -> Bool { noneMatch?.contains(current) == true }
}
