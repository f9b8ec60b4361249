/// Why a document was refused.
public struct XMLError: Error, Equatable, Sendable {
  /// The fault as a sentence.
  public let detail: String

  init(_ detail: String) { self.detail = detail }
}
