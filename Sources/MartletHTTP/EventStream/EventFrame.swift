import MartletJSON

/// An event as it is sent, made once for all streams: a chunk (RFC 9112 section 7.1) around the
/// event, of which a stream of HTTP/1.0 sends only the inside.
public struct EventFrame: Sendable {
  public let bytes: SharedBytes
  /// The chunk.
  let framed: Range<Int>
  /// What the chunk holds: the event's lines.
  public let payload: Range<Int>
  /// Of a frame that many streams send, so that no one of them is said to hold it.
  private(set) var waiters: FrameWaiters?

  /// The same frame, for many streams: what waits of it for slow clients is in memory once, and is counted once
  /// (``Limits/waitingOutput``).
  public var forMany: EventFrame {
    var frame = self
    frame.waiters = FrameWaiters(count: bytes.count)
    return frame
  }

  /// Sixteen digits, CR, LF.
  private static let room = 18

  /// A frame of what `write` appends.
  public init(_ write: (ByteBuffer) -> Void) {
    let buffer = ByteBuffer(capacity: 512)
    // The length is known afterwards: room in front, filled from its end.
    for _ in 0..<EventFrame.room { buffer.append(0x30) }
    write(buffer)
    let end = buffer.count
    let length = end - EventFrame.room
    guard length > 0 else {
      // An empty chunk would be the last one.
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

  /// A comment line: keeps proxies awake and finds dead peers.
  static let heartbeat = EventFrame { $0.append(":\n\n") }

  /// `last-chunk` and an empty trailer section.
  static let lastChunk = EventFrame(
    bytes: SharedBytes(Array("0\r\n\r\n".utf8)), framed: 0..<5, payload: 0..<0)

  private static let empty = SharedBytes([])
}
