import MartletHTTP

/// The fields that all answers of a kind have.
enum AnswerFields {
  static let json = Fields([
    "Content-Type": "application/json",
    "Vary": "Accept, Accept-Encoding",
    "Cache-Control": "no-cache",
    "X-Content-Type-Options": "nosniff",
  ])
  /// The same without content: 304.
  static let unchanged = Fields([
    "Vary": "Accept, Accept-Encoding",
    "Cache-Control": "no-cache",
  ])
  static let download = Fields([
    "Vary": "Accept, Accept-Encoding",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  ])
  static let written = Fields([
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  ])
  /// Without content: 204.
  static let done = Fields(["Cache-Control": "no-store"])
  static let varies = "Accept, Accept-Encoding"
}
