import MartletJSON

/// An event in the form in which it is sent, encoded once for all streams.
///
/// It is a chunk (RFC 9112 section 7.1) that contains the event; HTTP/1.0 streams send only the
/// content of the chunk.
public struct EventFrame: Sendable {
  /// The bytes that contain the chunk.
  public let bytes: SharedBytes
  /// The position of the chunk in ``bytes``.
  let framed: Range<Int>
  /// The position of the chunk's content, the event's lines, in ``bytes``.
  public let payload: Range<Int>
  /// Counts the connections that wait to send this frame, if it is shared by many streams.
  private(set) var waiters: FrameWaiters?

  /// The same frame for sending on many streams. While slow clients have not received it, its bytes
  /// count once against ``Limits/waitingOutput``, because they are in memory once.
  public var forMany: EventFrame {
    var frame = self
    frame.waiters = FrameWaiters(count: bytes.count)
    return frame
  }

  /// Whether it has only comments, or nothing.
  var isComment: Bool { payload.isEmpty || bytes.bytes[payload.lowerBound] == UInt8(ascii: ":") }

  /// Whether it begins with a `retry` line, which is the first line of an ``Event``.
  var hasRetry: Bool { bytes.bytes[payload].starts(with: "retry:".utf8) }

  /// Sixteen digits, CR, LF.
  private static let room = 18

  /// Makes a frame from the lines that `write` appends.
  public init(_ write: (ByteBuffer) -> Void) {
    let buffer = ByteBuffer(capacity: 512)
    // The length is known afterwards: reserve room in front, and fill it from its end.
    for _ in 0..<EventFrame.room { buffer.append(0x30) }
    write(buffer)
    let end = buffer.count
    let length = end - EventFrame.room
    guard length > 0 else {
      // An empty chunk would end the stream.
      self.init(bytes: EventFrame.empty, framed: 0..<0, payload: 0..<0)
      return
    }
    buffer.append("\r\n")
    let header = "\(String(length, radix: 16))\r\n".utf8
    let start = EventFrame.room - header.count
    let memory = UnsafeMutableBufferPointer(mutating: buffer.bytes)
    for (place, byte) in header.enumerated() { memory[start + place] = byte }
    let total = buffer.count
    self.init(
      bytes: buffer.share(), framed: start..<total, payload: EventFrame.room..<end)
  }

  private init(bytes: SharedBytes, framed: Range<Int>, payload: Range<Int>) {
    self.bytes = bytes
    self.framed = framed
    self.payload = payload
  }

  /// A comment line. It keeps proxies from closing the connection and detects dead peers.
  static let heartbeat = EventFrame { $0.append(":\n\n") }

  /// `last-chunk` and an empty trailer section.
  static let lastChunk = EventFrame(
    bytes: SharedBytes(Array("0\r\n\r\n".utf8)), framed: 0..<5, payload: 0..<0)

  private static let empty = SharedBytes([])
}
