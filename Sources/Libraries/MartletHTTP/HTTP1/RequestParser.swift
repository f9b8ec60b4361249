import Glibc
import MartletJSON

/// Parses the head of a request line by line as its bytes arrive.
///
/// The result is that more bytes are needed, that the head is complete, or a ``ProtocolError``. A
/// line is parsed when its end has arrived. Until then, each call continues the search for the line
/// end where the previous call stopped.
struct RequestParser {
  enum Progress: Equatable {
    case needMore
    /// The head is complete and has this many bytes.
    case head(Int)
  }

  /// The start of the incomplete line, and the position up to which it has no LF.
  private var lineStart = 0
  private var scanned = 0
  /// The start of the first field. 0 until the request line has arrived.
  private var fieldsStart = 0
  private var emptyLines = 0

  /// Parses the head. `bytes` begins with the request and grows from call to call.
  mutating func parse(
    _ bytes: UnsafeBufferPointer<UInt8>, into storage: RequestStorage, limits: Limits
  ) throws(ProtocolError) -> Progress {
    while true {
      guard let lineFeed = bytes.firstIndex(of: 0x0A, from: scanned) else {
        scanned = bytes.count
        try checkUnfinished(bytes, limits)
        return .needMore
      }
      guard lineFeed > lineStart, bytes[lineFeed - 1] == 0x0D else {
        throw .malformed("A line ends with a bare LF instead of CR LF.", "RFC 9112 2.2")
      }
      let end = lineFeed - 1
      let next = lineFeed + 1
      scanned = next
      if fieldsStart == 0 {
        if end == lineStart {
          emptyLines += 1
          guard emptyLines <= 4 else {
            throw .malformed("Too many empty lines before the request.", "RFC 9112 2.2")
          }
        } else {
          guard end - lineStart <= limits.requestLine else {
            throw RequestParser.tooLong(bytes[slice: lineStart, end], limits)
          }
          try requestLine(bytes, lineStart, end, storage)
          fieldsStart = next
        }
      } else if end == lineStart {
        storage.head.append(bytes[slice: 0, next])
        self = RequestParser()
        return .head(next)
      } else {
        guard end - lineStart <= limits.fieldLine, next - fieldsStart <= limits.headerSection else {
          throw .headTooLarge(limits)
        }
        guard storage.fields.count < limits.fieldCount else { throw .tooManyFields(limits) }
        storage.fields.append(try RequestParser.field(bytes, lineStart, end))
      }
      lineStart = next
    }
  }

  private func checkUnfinished(
    _ bytes: UnsafeBufferPointer<UInt8>, _ limits: Limits
  ) throws(ProtocolError) {
    let rest = bytes.count - lineStart
    guard rest > 0 else { return }
    if fieldsStart == 0 {
      // The first bytes of another protocol, such as TLS, get a response at once instead of at the
      // timeout.
      guard bytes[lineStart] == 0x0D || Grammar.isToken(bytes[lineStart]) else {
        throw .malformed("The request line must begin with a method.", "RFC 9112 3")
      }
      if rest > limits.requestLine + 1 {
        throw RequestParser.tooLong(bytes[slice: lineStart, bytes.count], limits)
      }
    } else if rest > limits.fieldLine + 1 || bytes.count - 1 - fieldsStart > limits.headerSection {
      // One byte less, because it can be the CR of the empty line, which is not a field.
      throw .headTooLarge(limits)
    }
  }

  /// The error for a request line that is too long.
  ///
  /// If everything up to the limit is one token, it is a method longer than any known one, which is
  /// 501. Otherwise the target is too long (RFC 9112 section 3).
  private static func tooLong(
    _ line: UnsafeBufferPointer<UInt8>, _ limits: Limits
  ) -> ProtocolError {
    Grammar.isToken(line[slice: 0, limits.requestLine]) ? .unknownMethod : .targetTooLong(limits)
  }

  /// Parses `request-line = method SP request-target SP HTTP-version` (RFC 9112 section 3).
  private func requestLine(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int, _ storage: RequestStorage
  ) throws(ProtocolError) {
    let line = bytes[slice: 0, end]
    guard let methodEnd = line.firstIndex(of: 0x20, from: start),
      let targetEnd = line.firstIndex(of: 0x20, from: methodEnd + 1)
    else {
      throw .malformed("The request line must be a method, a target and a version.", "RFC 9112 3")
    }
    let token = bytes[slice: start, methodEnd]
    guard Grammar.isToken(token) else {
      throw .malformed("The method must be a token.", "RFC 9112 3.1")
    }
    storage.isHTTP10 = try RequestParser.version(bytes[slice: targetEnd + 1, end])
    guard let method = Method(token) else { throw .unknownMethod }
    storage.method = method
    storage.target = Slice(methodEnd + 1, targetEnd)
    try TargetParser.parse(bytes, storage)
  }

  /// Parses `HTTP-version = "HTTP" "/" DIGIT "." DIGIT` (RFC 9112 section 2.3). Returns whether it
  /// is 1.0.
  private static func version(_ bytes: UnsafeBufferPointer<UInt8>) throws(ProtocolError) -> Bool {
    guard bytes.count == 8, bytes[slice: 0, 5].equals("HTTP/"), Grammar.isDigit(bytes[5]),
      bytes[6] == UInt8(ascii: "."), Grammar.isDigit(bytes[7])
    else {
      throw .malformed("The request line must end with HTTP/1.1 or HTTP/1.0.", "RFC 9112 2.3")
    }
    guard bytes[5] == UInt8(ascii: "1") else { throw .versionNotSupported }
    return bytes[7] == UInt8(ascii: "0")
  }

  /// Parses `field-line = field-name ":" OWS field-value OWS` (RFC 9112 section 5).
  static func field(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int
  ) throws(ProtocolError) -> RequestStorage.Field {
    guard !Grammar.isBlank(bytes[start]) else {
      throw .malformed("A header line begins with a blank.", "RFC 9112 5.2")
    }
    guard let colon = bytes[slice: 0, end].firstIndex(of: UInt8(ascii: ":"), from: start) else {
      throw .malformed("A header line has no colon.", "RFC 9112 5")
    }
    guard Grammar.isToken(bytes[slice: start, colon]) else {
      throw .malformed("A field name must be a token without blanks.", "RFC 9112 5.1")
    }
    var first = colon + 1
    var last = end
    while first < last, Grammar.isBlank(bytes[first]) { first &+= 1 }
    while last > first, Grammar.isBlank(bytes[last &- 1]) { last &-= 1 }
    guard Grammar.isFieldValue(bytes[slice: first, last]) else {
      throw .malformed("A field value has a control character.", "RFC 9110 5.5")
    }
    return RequestStorage.Field(name: Slice(start, colon), value: Slice(first, last))
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The index of the next `byte`. `memchr` checks 32 bytes at a time.
  @inline(__always) func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    guard start < count, let base = baseAddress,
      let found = memchr(base + start, Int32(byte), count - start)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }
}
