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

  /// The response of a custom function with the fields that it lacks and all others have.
  static func complete(_ response: Response, _ request: Request) -> Response {
    var response = response
    func add(_ name: StaticString, _ value: String) {
      if !response.fields.contains(name) { response.fields.append(name, value) }
    }
    add("Cache-Control", "no-store")
    if case .none = response.body {} else { add("X-Content-Type-Options", "nosniff") }
    add("X-Request-ID", request.id)
    return response
  }
}
