import MartletJSON

/// Parses a response that another server of ours has sent (RFC 9112 sections 4 to 7).
///
/// Pure: bytes in, the response out. A body is given away as it comes, so that it can be larger
/// than the memory.
struct ResponseParser {
  /// The head of a response.
  struct Head: Sendable, Equatable {
    var status: UInt16
    var fields = Fields.none
    var length: Int?
    var isChunked = false
    /// Whether the connection can be used for another request.
    var mayPersist = true

    /// Whether the response has no body, whatever its fields say (RFC 9112 section 6.3).
    func isEmpty(after method: Method) -> Bool {
      method == .head || status == 204 || status == 304
    }
  }

  /// The largest head, in bytes.
  static let largestHead = 64 << 10

  private enum State {
    case head
    case body(BodyDecoder)
    case done
  }

  private let method: Method
  private let limits: Limits
  private var state = State.head
  private var pending = ByteBuffer(capacity: 1024)
  private(set) var head: Head?

  /// - Parameter method: The method of the request.
  init(to method: Method, limits: Limits = Limits()) {
    self.method = method
    self.limits = limits
  }

  var isDone: Bool { if case .done = state { true } else { false } }

  /// Reads the next bytes. Calls `content` with the parts of the body.
  mutating func read(
    _ bytes: UnsafeBufferPointer<UInt8>, content: (SharedBytes) throws -> Void
  ) throws {
    var rest = bytes
    if case .head = state {
      pending.append(bytes)
      while case .head = state {
        guard let end = Self.endOfHead(pending.bytes) else {
          guard pending.count <= Self.largestHead else {
            throw ProtocolError.malformed("The head of the response is too long.", "limit")
          }
          return
        }
        let head = try Self.parse(pending.bytes[slice: 0, end])
        let after = ByteBuffer(capacity: max(pending.count - end, 16))
        after.append(pending.bytes[slice: end, pending.count])
        pending = after
        // An interim response comes before the response (RFC 9110 section 15.2).
        if head.status < 200 { continue }
        self.head = head
        try begin(head)
      }
      rest = pending.bytes
    }
    guard case .body(var decoder) = state else {
      guard rest.isEmpty else {
        throw ProtocolError.malformed("There are bytes after the response.", "RFC 9112 9.3")
      }
      return
    }
    let (used, isComplete) = try decoder.decode(rest)
    if decoder.count > 0 { try content(decoder.take()) }
    guard !isComplete || used == rest.count else {
      throw ProtocolError.malformed("There are bytes after the response.", "RFC 9112 9.3")
    }
    pending = ByteBuffer(capacity: 16)
    state = isComplete ? .done : .body(decoder)
  }

  private mutating func begin(_ head: Head) throws(ProtocolError) {
    if head.isEmpty(after: method) {
      state = .done
      return
    }
    guard head.isChunked || head.length != nil else {
      throw .malformed("The response has no length.", "RFC 9112 6.3")
    }
    state = .body(
      try BodyDecoder(length: head.length ?? 0, isChunked: head.isChunked, limits: limits))
  }

  /// The index after the empty line at the end of a head.
  private static func endOfHead(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var start = 0
    while let line = bytes.firstIndex(of: 0x0A, from: start) {
      if line - start <= 1, start > 0 { return line + 1 }
      start = line + 1
    }
    return nil
  }

  private static func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(ProtocolError) -> Head {
    var lines: [UnsafeBufferPointer<UInt8>] = []
    var start = 0
    while let end = bytes.firstIndex(of: 0x0A, from: start) {
      guard end > start, bytes[end - 1] == 0x0D else {
        throw .malformed("A line of the response must end with CR LF.", "RFC 9112 2.2")
      }
      lines.append(bytes[slice: start, end - 1])
      start = end + 1
    }
    var head = Head(status: try status(lines[0]))
    var isConnectionOpen = true
    for line in lines[1...] where !line.isEmpty {
      let field = try RequestParser.field(line, 0, line.count)
      let name = line[slice: Int(field.name.start), Int(field.name.end)]
      let value = line[slice: Int(field.value.start), Int(field.value.end)]
      if name.equalsIgnoringCase("Content-Length") {
        guard head.length == nil, let length = Int(value.text), length >= 0 else {
          throw .malformed("The length of the response is no number.", "RFC 9112 6.3")
        }
        head.length = length
      } else if name.equalsIgnoringCase("Transfer-Encoding") {
        guard value.equalsIgnoringCase("chunked"), !head.isChunked else { throw .unknownCoding }
        head.isChunked = true
      } else if name.equalsIgnoringCase("Connection") {
        if value.equalsIgnoringCase("close") { isConnectionOpen = false }
      } else {
        head.fields.append(name: name.text, value.text)
      }
    }
    guard !head.isChunked || head.length == nil else {
      throw .malformed("The response has two lengths.", "RFC 9112 6.3")
    }
    head.mayPersist = isConnectionOpen
    return head
  }

  /// `HTTP/1.1 200 OK` (RFC 9112 section 4).
  private static func status(_ line: UnsafeBufferPointer<UInt8>) throws(ProtocolError) -> UInt16 {
    let text = line.text
    let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, parts[0] == "HTTP/1.1", parts[1].utf8.count == 3,
      let status = UInt16(parts[1]), 100...599 ~= status
    else { throw .malformed("The response has no status line of HTTP/1.1.", "RFC 9112 4") }
    return status
  }
}
