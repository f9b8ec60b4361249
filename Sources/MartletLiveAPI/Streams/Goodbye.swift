import MartletHTTP
import MartletJSON

/// The last event of a stream that the server ends: why, and when to come back. Spread at random, so
/// that those who were sent away together do not come back together.
enum Goodbye {
  enum Reason: String {
    case shutdown, rotation, overload
    /// The key, or the live session, does not hold any more.
    case ended = "access-ended"
  }

  /// Milliseconds.
  private static let spread = 1_000...5_000

  static func frame(_ reason: Reason) -> EventFrame {
    let retry = Int.random(in: spread)
    return Event.frame(
      event: "bye", data: "{\"reason\":\"\(reason.rawValue)\",\"retry\":\(retry)}",
      retry: .milliseconds(retry))
  }

  /// What a stream is told whose caller may not follow any more.
  static var ended: EventStream.Next { .sendAndEnd(frame(.ended)) }

  /// A whole stream that is nothing but a goodbye. 200: browsers never come back after anything else.
  static func answer(_ reason: Reason, _ fields: Fields) -> Response {
    let frame = frame(reason)
    let event = Array(frame.bytes.bytes[frame.payload])
    return Response(.ok, fields, body: .bytes(event), isLast: true)
  }
}
