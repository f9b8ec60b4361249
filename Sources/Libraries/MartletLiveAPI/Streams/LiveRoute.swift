import MartletHTTP
import MartletLiveQueries
import MartletStore

/// A `GET` as an event stream: its result now, and again whenever a commit changes it.
enum LiveRoute {
  /// Waits for the first result before the head is sent, so that a missing item is a plain 404.
  static func follow(
    _ source: LiveSource, _ request: Request, _ streams: LiveStreams
  ) -> Outcome {
    // An ID of another server counts as unknown.
    let resumesFrom = lastEventID(request).flatMap { ETag(lastEventID: $0) }
    let wantsDeltas = request.queryItems.contains { $0.name == "deltas" && $0.value == "true" }
    return .laterStream { responder in
      let membership = streams.join(source)
      let channel = membership.channel
      if wantsDeltas { channel.wantDeltas() }
      let firstRun = channel.firstFreshRun
      let waiting = channel.whenReady(run: firstRun) { published in
        switch published.state.outcome {
        case .absent:
          let context = streams.context
          responder.respond(
            context.varied(APIProblem.missing(request, context.settings.nouns), to: request))
        case .result, .failed:
          let position = StreamPosition(
            resumesFrom.map { .result($0) } ?? .nothing, firstRun: firstRun)
          responder.stream(
            stream(request, woken: channel.broadcast) { access, _ in
              Subscriber(membership, position, wantsDeltas: wantsDeltas, access)
            })
        }
      }
      responder.onCancel { waiting.cancel() }
    }
  }

  /// A stream that `broadcast` wakes, with its final events. `source` is called on the stream's
  /// event loop.
  static func stream(
    _ request: Request, woken broadcast: Broadcast,
    source: @escaping @Sendable (Access, EventStream) -> any EventSource
  ) -> StreamResponse {
    StreamResponse(
      fields: fields(request), retry: .seconds(2),
      bye: { Goodbye.frame($0 == .shutdown ? .shutdown : .rotation) },
      refused: { goodbye(.overload, request) },
      opened: { [access = request.access] stream in
        broadcast.join(stream)
        access.join(stream)
        return source(access, stream)
      })
  }

  /// A stream that consists of one `bye` event.
  static func goodbye(_ reason: Goodbye.Reason, _ request: Request) -> Response {
    Goodbye.answer(reason, fields(request))
  }

  /// The refusal of a request: a `bye` event if it asks for an event stream, because browsers
  /// reconnect only after a 200, and otherwise `response`.
  static func refusal(of request: Request, else response: @autoclosure () -> Response) -> Response {
    (try? Negotiation.of(request)) == .eventStream ? goodbye(.overload, request) : response()
  }

  private static func fields(_ request: Request) -> Fields {
    var fields = streamFields
    fields.append("X-Request-ID", request.id)
    return fields
  }

  private static let streamFields = Fields([
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
    "X-Content-Type-Options": "nosniff",
    "Vary": "Accept, Accept-Encoding",
  ])

  /// The ID of the last event that the client received. The field takes precedence over the
  /// parameter.
  static func lastEventID(_ request: Request) -> String? {
    request.fields["Last-Event-ID"]
      ?? request.queryItems.first { $0.name == "lastEventID" }?.value
  }
}

/// The position of one event stream in its query.
private final class Subscriber: EventSource {
  private let membership: Membership
  /// The channel of the membership, stored directly because thousands of subscribers are polled in
  /// a row.
  private let channel: LiveChannel
  private let access: Access
  private var position: StreamPosition
  private let wantsDeltas: Bool

  init(
    _ membership: Membership, _ position: StreamPosition, wantsDeltas: Bool, _ access: Access
  ) {
    self.membership = membership
    channel = membership.channel
    self.access = access
    self.position = position
    self.wantsDeltas = wantsDeltas
  }

  func next() -> EventStream.Next {
    if access.isEnded { return Goodbye.ended }
    guard let published = channel.published else { return .wait }
    // A later state wakes the stream again.
    switch position.next(published.state) {
    case .wait, .unchanged: return .wait
    case .current(let tag):
      return .sendAndWait(Event.frame(id: tag.description, event: "current", data: "{}"))
    case .result(_, let before):
      if wantsDeltas, let before, let delta = published.delta, delta.base == before {
        return .sendAndWait(delta.event)
      }
      return published.event.map { .sendAndWait($0) } ?? .wait
    case .problem: return published.event.map { .sendAndWait($0) } ?? .wait
    case .gone: return .sendAndEnd(Subscriber.gone)
    }
  }

  private static let gone = Event.frame(event: "gone", data: "{}")
}
