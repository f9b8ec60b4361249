import MartletHTTP

/// In which form an answer is wanted (RFC 9110 section 12.5.1).
enum Negotiation {
  case json, eventStream

  static func of(_ request: Request) throws(APIProblem) -> Negotiation {
    guard let field = request.fields.list("Accept") else { return .json }
    let accept = Accept(field)
    let json = accept.quality(of: .json)
    // A range alone (`*/*`) asks for no stream where there is JSON.
    let mayStream = json == 0 || accept.names(.eventStream)
    let stream = mayStream ? accept.quality(of: .eventStream) : 0
    if stream > json { return .eventStream }
    if json > 0 { return .json }
    throw APIProblem(
      .notAcceptable, "This is there as application/json and as text/event-stream.")
  }
}
