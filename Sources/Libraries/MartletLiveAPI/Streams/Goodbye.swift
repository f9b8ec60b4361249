import MartletHTTP
import MartletJSON

/// The last event of a stream that the server ends: the reason, and when to reconnect. The time is
/// random so that clients do not all reconnect at the same time.
enum Goodbye {
  enum Reason: String {
    case shutdown, rotation, overload
    /// The caller's access has ended: it has expired, or was revoked or changed.
    case ended = "access-ended"
  }

  /// In milliseconds.
  private static let spread = 1_000...5_000

  static func frame(_ reason: Reason) -> EventFrame {
    let retry = Int.random(in: spread)
    return Event.frame(
      event: "bye", data: "{\"reason\":\"\(reason.rawValue)\",\"retry\":\(retry)}",
      retry: .milliseconds(retry))
  }

  /// The last event of a stream whose caller no longer has access.
  static var ended: EventStream.Next { .sendAndEnd(frame(.ended)) }

  /// A complete stream that consists of one `bye` event. Its status is 200, because browsers do not
  /// reconnect after any other status.
  static func answer(_ reason: Reason, _ fields: Fields) -> Response {
    let frame = frame(reason)
    let event = Array(frame.bytes.bytes[frame.payload])
    return Response(.ok, fields, body: .bytes(event), isLast: true)
  }
}
