import MartletJSON
import MartletTime

/// A server-sent event (WHATWG HTML section 9.2.5).
///
///     Event.frame(id: "7", event: "result", data: json)
///     // id: 7
///     // event: result
///     // data: {…}
public enum Event {
  /// Makes the frame of an event.
  ///
  /// CR, LF and NUL are removed from `id` and `event`, where they would end the line or make
  /// clients ignore it. Each line of `data`, ended by CR LF, CR or LF, becomes a `data` line.
  /// `retry` is rounded down to milliseconds; negative values become 0.
  package static func frame(
    id: String? = nil, event: String? = nil, data: UnsafeBufferPointer<UInt8>,
    retry: Duration? = nil
  ) -> EventFrame {
    EventFrame { buffer in
      buffer.reserve(data.count + 64)
      if let retry { line(retry: retry, buffer) }
      if let id { line("id: ", id, buffer) }
      if let event { line("event: ", event, buffer) }
      write(data, to: buffer)
      buffer.append("\n")
    }
  }

  /// Makes the frame of an event with a string as `data`.
  ///
  /// CR, LF and NUL are removed from `id` and `event`. Each line of `data` becomes a `data` line.
  /// `retry` is how long the client waits before it reconnects, rounded down to milliseconds.
  public static func frame(
    id: String? = nil, event: String? = nil, data: String, retry: Duration? = nil
  ) -> EventFrame {
    var data = data
    return data.withUTF8 { frame(id: id, event: event, data: $0, retry: retry) }
  }

  /// Makes a frame with only a `retry` line: how long the client waits before it reconnects, in
  /// whole milliseconds.
  ///
  /// Some clients report it as an event without data. ``StreamResponse/retry`` puts the line into
  /// the first event instead.
  public static func retry(_ pause: Duration) -> EventFrame {
    EventFrame { buffer in
      line(retry: pause, buffer)
      buffer.append("\n")
    }
  }

  /// Makes the `retry` line of the event that follows.
  static func retryLine(_ pause: Duration) -> EventFrame {
    EventFrame { line(retry: pause, $0) }
  }

  /// Makes a comment, which clients ignore.
  public static func comment(_ text: String) -> EventFrame {
    EventFrame { buffer in
      line(": ", text, buffer)
      buffer.append("\n")
    }
  }

  private static func line(retry pause: Duration, _ buffer: ByteBuffer) {
    line("retry: ", String(max(pause.wholeMilliseconds, 0)), buffer)
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
      // A CR before the LF ends a line, too. Data with CR is rare, so the search for LF comes
      // first.
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
