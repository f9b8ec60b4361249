import TestSupport
import Testing

/// A service in which alarms ring, and a client of it.
///
/// The clock stands at Friday, 2026-11-20, 12:00 UTC, and moves only when told to.
struct AlarmService {
  let service: RemindersService
  let client: RawClient

  init() throws {
    service = try RemindersService(rings: true)
    client = try service.client()
  }

  /// Creates reminder 1, which is due in an hour.
  @discardableResult
  func meeting(_ members: String = "") throws -> RawResponse {
    let all = [#""title":"Meeting","dueDate":"2026-11-20T13:00:00Z""#, members]
    let body = all.filter { !$0.isEmpty }.joined(separator: ",")
    let made = try client.post("/v1/lists/1/reminders", "{\(body)}")
    try #require(made.status == 201, "\(made.text)")
    return made
  }

  /// A stream of the alarms that ring, which has had its first event.
  func ringing() throws -> StreamClient {
    let stream = StreamClient(port: service.port)
    try stream.open("/v1/alarms?state=ringing")
    #expect(stream.event(after: 0)?.data == #"{"items":[],"nextCursor":null}"#)
    return stream
  }

  func pass(minutes: Int64) { service.time?.advance(milliseconds: minutes * 60_000) }
}
