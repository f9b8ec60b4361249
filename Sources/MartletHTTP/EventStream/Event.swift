import MartletJSON
import MartletTime

/// A server-sent event (WHATWG HTML section 9.2.5).
///
///     Event.frame(id: "7", event: "result", data: json)
///     // id: 7
///     // event: result
///     // data: {…}
public enum Event {
  /// An event's frame. `id` and `event` lose CR, LF and NUL, which would end their lines or make
  /// clients ignore them; `data` becomes a line for each of its own, ended by CR LF, CR or LF.
  /// `retry` is rounded down to milliseconds, and 0 where it is negative.
  package static func frame(
    id: String? = nil, event: String? = nil, data: UnsafeBufferPointer<UInt8>,
    retry: Duration? = nil
  ) -> EventFrame {
    EventFrame { buffer in
      buffer.reserve(data.count + 64)
      if let retry { line("retry: ", String(max(retry.wholeMilliseconds, 0)), buffer) }
      if let id { line("id: ", id, buffer) }
      if let event { line("event: ", event, buffer) }
      write(data, to: buffer)
      buffer.append("\n")
    }
  }

  /// Like ``frame(id:event:data:retry:)`` for a text.
  public static func frame(
    id: String? = nil, event: String? = nil, data: String, retry: Duration? = nil
  ) -> EventFrame {
    var data = data
    return data.withUTF8 { frame(id: id, event: event, data: $0, retry: retry) }
  }

  /// `retry: 2000` alone: how long a client waits before it connects again, in whole milliseconds.
  public static func retry(_ pause: Duration) -> EventFrame {
    EventFrame { buffer in
      line("retry: ", String(max(pause.wholeMilliseconds, 0)), buffer)
      buffer.append("\n")
    }
  }

  /// A comment, which clients drop.
  public static func comment(_ text: String) -> EventFrame {
    EventFrame { buffer in
      line(": ", text, buffer)
      buffer.append("\n")
    }
  }

  private static func line(_ name: StaticString, _ value: String, _ buffer: ByteBuffer) {
    buffer.append(name)
    for byte in value.utf8 where byte != 0x0A && byte != 0x0D && byte != 0 { buffer.append(byte) }
    buffer.append("\n")
  }

  private static func write(_ data: UnsafeBufferPointer<UInt8>, to buffer: ByteBuffer) {
    var start = 0
    while true {
      let lineFeed = data.firstIndex(of: 0x0A, from: start) ?? data.count
      // A CR before the LF ends a line, too; data with CR is rare, so it is looked for last.
      let carriageReturn = data[slice: 0, lineFeed].firstIndex(of: 0x0D, from: start)
      let end = carriageReturn ?? lineFeed
      buffer.append("data: ")
      buffer.append(data[slice: start, end])
      buffer.append("\n")
      guard end < data.count else { return }
      start = end + (end + 1 < data.count && data[end] == 0x0D && data[end + 1] == 0x0A ? 2 : 1)
    }
  }
}
