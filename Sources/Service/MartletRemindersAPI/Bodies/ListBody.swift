import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletReminders

/// The body of a request that creates or changes a list.
struct ListBody {
  /// The fields to set.
  var values = ListRepository.Values()
  /// Read-only members of the body, which must equal the stored values.
  var readOnly: [JSONObject.Member] = []

  /// The allowed lengths of a title. A page cursor contains the title, and must fit into a URL.
  static let titleLengths = 0...1_000

  /// Reads the body of a request that creates a list. `title` is required.
  init(creating request: Request) throws(APIProblem) {
    var body = try Body(request)
    read(&body)
    values.uid = body.uid()
    body.require("title", values.title != nil)
    try body.finish()
  }

  /// Reads a JSON Merge Patch (RFC 7396). Absent members stay unchanged.
  init(changing request: Request) throws(APIProblem) {
    var body = try Body(request)
    read(&body)
    body.readOnly("id", "uid", "position", "reminders")
    readOnly = body.readOnly
    try body.finish()
  }

  private mutating func read(_ body: inout Body) {
    values.title = body.string("title", ListBody.titleLengths)
    values.color = ListBody.color(&body)
  }

  /// Throws if a list cannot have this title.
  ///
  /// - Parameter name: The name of the field in the imported file, for the error.
  static func check(title: String, as name: String) throws(APIProblem) {
    var body = Body(
      JSONObject(members: [.init(name: name, value: .string(title))]), calling: "The list")
    _ = body.string(name, titleLengths)
    try body.finish()
  }

  /// Reads the member `color`; `nil` if it is absent or invalid.
  static func color(_ body: inout Body) -> Int? {
    let expected = "# and six hexadecimal digits, such as #4a99ef"
    guard let text = body.formatted("color", expected) else { return nil }
    let color = ListColor.parse(text)
    if color == nil { body.fail("color", "expected \(expected), got \(shown(text))") }
    return color
  }
}
