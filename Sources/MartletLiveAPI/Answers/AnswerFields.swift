import MartletHTTP

/// The header fields of each kind of response.
enum AnswerFields {
  static let json = Fields([
    "Content-Type": "application/json",
    "Vary": "Accept, Accept-Encoding",
    "Cache-Control": "no-cache",
    "X-Content-Type-Options": "nosniff",
  ])
  /// A 304, which has no content.
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
  /// A 204, which has no content.
  static let done = Fields(["Cache-Control": "no-store"])
  static let varies = "Accept, Accept-Encoding"
}
