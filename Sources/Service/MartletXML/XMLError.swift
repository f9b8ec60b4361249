/// Why a document was refused.
public struct XMLError: Error, Equatable, Sendable {
  /// What is wrong, as a sentence.
  public let detail: String

  init(_ detail: String) { self.detail = detail }
}
