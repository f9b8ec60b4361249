/// An answer that is an event stream. `Content-Type`, `Cache-Control: no-store` and
/// `X-Accel-Buffering: no` are added unless `fields` has a `Content-Type`.
public struct StreamResponse: Sendable {
  public var status: Status
  public var fields: Fields
  /// Makes the stream's source, on the loop, when the head is on its way; the stream may join a
  /// ``Broadcast`` here.
  public var opened: @Sendable (EventStream) -> any EventSource
  /// The last event of a stream that the server ends; `nil` for none.
  public var bye: @Sendable (EventStream.EndReason) -> EventFrame?
  /// What is answered instead when there are too many streams; 503 when `nil`.
  public var refused: (@Sendable () -> Response)?

  public init(
    _ status: Status = .ok, fields: Fields = .none,
    bye: @escaping @Sendable (EventStream.EndReason) -> EventFrame? = { _ in nil },
    refused: (@Sendable () -> Response)? = nil,
    opened: @escaping @Sendable (EventStream) -> any EventSource
  ) {
    self.status = status
    self.fields = fields
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
