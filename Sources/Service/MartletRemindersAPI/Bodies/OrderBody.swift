import MartletHTTP
import MartletLiveAPI
import MartletReminders

/// The body of a request that sets an order: `{"ids": [3, 1, 2]}`.
struct OrderBody {
  /// The IDs in their new order.
  let ids: [Int]

  init(_ request: Request) throws(APIProblem) {
    var body = try Body(request)
    let ids = body.integers("ids")
    body.require("ids", ids != nil)
    try body.finish()
    self.ids = ids ?? []
  }
}

/// The body of a request that moves a row: `{"after": 3}`, `{"before": 3}`, and with `null` to the
/// beginning or to the end.
struct DestinationBody {
  /// Where the row is moved to.
  let destination: Destination

  init(_ request: Request) throws(APIProblem) {
    var body = try Body(request)
    let after = body.nullable("after", .integer(1...))
    let before = body.nullable("before", .integer(1...))
    switch (after, before) {
    case (let id?, nil): destination = .after(id)
    case (nil, let id?): destination = .before(id)
    case (nil, nil):
      destination = .after(nil)
      if body.errors.isEmpty { body.fail("after", "is required, or before") }
    default:
      destination = .after(nil)
      body.fail("before", "expected either after or before, got both")
    }
    try body.finish()
  }
}
