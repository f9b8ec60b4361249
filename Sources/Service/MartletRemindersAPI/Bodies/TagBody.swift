import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletReminders

/// The body of a request that creates or renames a tag: `{"title": "car"}`.
struct TagBody {
  /// The new title; `nil` leaves it unchanged.
  var title: String?
  /// Read-only members of the body, which must equal the stored values.
  var readOnly: [JSONObject.Member] = []

  /// Reads the body.
  ///
  /// - Parameter isNew: Whether the request creates a tag, so that `title` is required.
  init(_ request: Request, isNew: Bool) throws(APIProblem) {
    var body = try Body(request)
    if let text = body.string("title", 0...10_000) {
      switch TagTitle.read(text) {
      case .success(let title): self.title = title
      case .failure(let reason): body.fail("title", reason.detail)
      }
    } else if isNew {
      body.require("title", false)
    }
    if !isNew {
      body.readOnly("reminders")
      readOnly = body.readOnly
    }
    try body.finish()
  }
}
