import MartletHTTP

/// Content negotiation: JSON or an event stream (RFC 9110 section 12.5.1).
enum Negotiation {
  case json, eventStream

  static func of(_ request: Request) throws(APIProblem) -> Negotiation {
    guard let field = request.fields.list("Accept") else { return .json }
    let accept = Accept(field)
    let json = accept.quality(of: .json)
    // A media range such as `*/*` does not select the stream if JSON is acceptable.
    let mayStream = json == 0 || accept.names(.eventStream)
    let stream = mayStream ? accept.quality(of: .eventStream) : 0
    if stream > json { return .eventStream }
    if json > 0 { return .json }
    throw APIProblem(
      .notAcceptable,
      "This is available as application/json and as text/event-stream. Accept one of them.")
  }
}
