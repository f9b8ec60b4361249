import MartletHTTP
import MartletJSON
import MartletLiveAPI

/// A tag as a client sends it: `{"title": "car"}`.
struct TagBody {
  /// `nil` where nothing is to be changed.
  var title: String?
  var readOnly: [JSONObject.Member] = []

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

/// `{"ids": [3, 1, 2]}`
struct OrderBody {
  let ids: [Int]

  init(_ request: Request) throws(APIProblem) {
    var body = try Body(request)
    let ids = body.integers("ids")
    body.require("ids", ids != nil)
    try body.finish()
    self.ids = ids ?? []
  }
}
