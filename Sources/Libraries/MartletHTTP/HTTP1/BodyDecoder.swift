import MartletJSON

/// Extracts a body from the bytes after its head, by length or chunk by chunk (RFC 9112
/// sections 6.3 and 7.1).
struct BodyDecoder {
  private enum State {
    case length(Int)
    case chunk(ChunkLine)
    case data(Int)
    case dataCR
    case dataLF
    case trailer(bytes: Int, fields: Int)
    case done
  }

  private var state: State
  private let limits: Limits
  /// The largest body that the route reads.
  private let most: Int
  private var extensionBytes = 0
  private let trailer: ByteBuffer
  private let content: ByteBuffer

  /// Throws 413 if the known length is too large, before any of the body is read.
  init(_ storage: RequestStorage, most: Int, limits: Limits) throws(ProtocolError) {
    guard storage.length <= most else { throw .contentTooLarge(most: most) }
    self.most = most
    self.limits = limits
    state = storage.isChunked ? .chunk(ChunkLine()) : .length(storage.length)
    content = ByteBuffer(capacity: min(max(storage.length, 256), 64 << 10))
    trailer = ByteBuffer(capacity: 16)
  }

  /// Decodes the body of a response, whose content is taken part by part.
  init(length: Int, isChunked: Bool, limits: Limits) throws(ProtocolError) {
    most = .max
    self.limits = limits
    state = isChunked ? .chunk(ChunkLine()) : .length(length)
    content = ByteBuffer(capacity: 1024)
    trailer = ByteBuffer(capacity: 16)
  }

  /// The number of decoded bytes.
  var count: Int { content.count }

  /// Returns the complete content and empties the decoder.
  func take() -> SharedBytes { content.share() }

  /// Decodes `bytes`. Returns how many it used and whether the body is complete.
  mutating func decode(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(ProtocolError) -> (used: Int, isComplete: Bool) {
    var place = 0
    while true {
      switch state {
      case .length(let rest), .data(let rest):
        let part = min(rest, bytes.count - place)
        content.append(bytes[slice: place, place + part])
        place += part
        if part < rest {
          if case .data = state { state = .data(rest - part) } else { state = .length(rest - part) }
          return (place, false)
        }
        if case .data = state { state = .dataCR } else { state = .done }
      case .done:
        return (place, true)
      case .chunk(var line):
        var size: Int?
        while place < bytes.count, size == nil {
          let before = line.extensionBytes
          size = try line.read(bytes[place])
          extensionBytes += line.extensionBytes - before
          place += 1
        }
        guard extensionBytes <= limits.chunkExtensions else {
          throw .malformed("The chunk extensions are too long.", "RFC 9112 7.1.1")
        }
        guard let size else {
          state = .chunk(line)
          return (place, false)
        }
        guard size <= most - content.count else { throw .contentTooLarge(most: most) }
        state = size == 0 ? .trailer(bytes: 0, fields: 0) : .data(size)
      case .dataCR, .dataLF:
        guard place < bytes.count else { return (place, false) }
        let isCR = if case .dataCR = state { true } else { false }
        guard bytes[place] == (isCR ? 0x0D : 0x0A) else {
          throw .malformed("A chunk's data must end with CR LF.", "RFC 9112 7.1")
        }
        place += 1
        state = isCR ? .dataLF : .chunk(ChunkLine())
      case .trailer(let total, let fields):
        guard let end = bytes.firstIndex(of: 0x0A, from: place) else {
          trailer.append(bytes[slice: place, bytes.count])
          try check(total + trailer.count, fields)
          return (bytes.count, false)
        }
        trailer.append(bytes[slice: place, end])
        place = end + 1
        try check(total + trailer.count, fields)
        if try trailerLine() {
          state = .done
        } else {
          state = .trailer(bytes: total + trailer.count + 1, fields: fields + 1)
        }
        trailer.removeAll()
      }
    }
  }

  private func check(_ bytes: Int, _ fields: Int) throws(ProtocolError) {
    guard bytes <= limits.trailerSection, fields <= limits.trailerCount else {
      throw .trailerTooLarge(limits)
    }
  }

  /// Validates one line of the trailer section, without its LF. Returns true for the empty last
  /// line.
  ///
  /// Trailer fields are dropped, because none is used here (RFC 9110 section 6.5.1).
  private func trailerLine() throws(ProtocolError) -> Bool {
    let line = trailer.bytes
    guard line.count > 0, line[line.count - 1] == 0x0D else {
      throw .malformed("A trailer line must end with CR LF.", "RFC 9112 7.1.2")
    }
    if line.count == 1 { return true }
    _ = try RequestParser.field(line, 0, line.count - 1)
    return false
  }
}
