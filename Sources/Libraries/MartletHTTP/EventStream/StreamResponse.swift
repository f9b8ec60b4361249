/// A response that is an event stream.
///
/// `Content-Type`, `Cache-Control: no-store` and `X-Accel-Buffering: no` are added unless `fields`
/// has a `Content-Type`.
public struct StreamResponse: Sendable {
  /// The status code.
  public var status: Status
  /// The header fields.
  public var fields: Fields
  /// How long the client waits before it reconnects, in whole milliseconds. It is sent as the
  /// `retry` line of the first event, unless that event has one.
  public var retry: Duration?
  /// Makes the source of the stream's events, on the event loop, when the head has been sent. The
  /// stream can join a ``Broadcast`` here.
  public var opened: @Sendable (EventStream) -> any EventSource
  /// Makes the last event of a stream that the server ends. `nil` sends none.
  public var bye: @Sendable (EventStream.EndReason) -> EventFrame?
  /// Makes the response that is sent when a limit on streams is reached. `nil` sends 503.
  public var refused: (@Sendable () -> Response)?

  /// Makes an event stream response.
  public init(
    _ status: Status = .ok, fields: Fields = .none, retry: Duration? = nil,
    bye: @escaping @Sendable (EventStream.EndReason) -> EventFrame? = { _ in nil },
    refused: (@Sendable () -> Response)? = nil,
    opened: @escaping @Sendable (EventStream) -> any EventSource
  ) {
    self.status = status
    self.fields = fields
    self.retry = retry
    if !fields.contains("Content-Type") { self.fields.append(StreamResponse.usual) }
    self.bye = bye
    self.refused = refused
    self.opened = opened
  }

  private static let usual = Fields([
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
  ])
}
