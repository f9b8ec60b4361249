import Glibc

/// The character classes and small productions of RFC 9110 and RFC 9112.
///
/// Each class is two words of bits. A table in memory would cost the check of a lazy initializer
/// per byte.
enum Grammar {
  /// Whether the byte is a `tchar`: `"!" / "#" / "$" / "%" / "&" / "'" / "*" / "+" / "-" / "." /
  /// "^" / "_" / "|" / "~" / DIGIT / ALPHA`, and the backtick (RFC 9110 section 5.6.2).
  @inline(__always) static func isToken(_ byte: UInt8) -> Bool {
    has(byte, 0x03FF_6CFA_0000_0000, 0x57FF_FFFF_C7FF_FFFE)
  }

  /// Whether the byte belongs to `reg-name = *( unreserved / pct-encoded / sub-delims )` (RFC 3986
  /// section 3.2.2), except `%`, because host names here are ASCII.
  @inline(__always) static func isRegisteredName(_ byte: UInt8) -> Bool {
    has(byte, 0x2BFF_7FD2_0000_0000, 0x47FF_FFFE_87FF_FFFE)
  }

  /// Whether the byte is allowed in a request target: visible ASCII except `#`, because a fragment
  /// is never sent (RFC 9112 section 3.2). RFC 3986 allows less, but clients send more.
  @inline(__always) static func isTarget(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "#")
  }

  /// Whether the byte belongs to `OWS = *( SP / HTAB )` (RFC 9110 section 5.6.3).
  @inline(__always) static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09
  }

  @inline(__always) static func isDigit(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10
  }

  /// The value of a hexadecimal digit in either case (`HEXDIG`, RFC 5234 appendix B.1).
  @inline(__always) static func hex(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte &- 0x30
    case 0x41...0x46: byte &- 0x37
    case 0x61...0x66: byte &- 0x57
    default: nil
    }
  }

  @inline(__always) static func lowercase(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }

  /// Whether the bytes are `field-vchar = VCHAR / obs-text` with SP and HTAB between them (RFC 9110
  /// section 5.5).
  ///
  /// The loop has no early exit, so that the compiler checks many bytes at once.
  static func isFieldValue(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var isWrong = false
    for byte in bytes {
      isWrong = isWrong || (byte < 0x20 && byte != 0x09) || byte == 0x7F
    }
    return !isWrong
  }

  static func isToken(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count > 0 else { return false }
    for byte in bytes where !isToken(byte) { return false }
    return true
  }

  @inline(__always)
  private static func has(_ byte: UInt8, _ low: UInt64, _ high: UInt64) -> Bool {
    byte < 128 && ((byte < 64 ? low : high) &>> UInt64(byte & 63)) & 1 == 1
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The bytes of the range `start..<end` of this buffer.
  @inline(__always) subscript(slice start: Int, _ end: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: self[start..<end])
  }

  /// Whether the bytes equal those of `text`.
  @inline(__always) func equals(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount
      && (count == 0 || memcmp(baseAddress!, text.utf8Start, count) == 0)
  }

  /// Whether the bytes equal those of `other`, ignoring the case of ASCII letters.
  func equalsIgnoringCase(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for place in 0..<count
    where Grammar.lowercase(self[place]) != Grammar.lowercase(other[place]) {
      return false
    }
    return true
  }

  /// Whether the bytes equal those of `text`, ignoring the case of ASCII letters.
  package func equalsIgnoringCase(_ text: StaticString) -> Bool {
    equalsIgnoringCase(
      UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// The bytes without blanks at both ends.
  var trimmed: UnsafeBufferPointer<UInt8> {
    var start = 0
    var end = count
    while start < end, Grammar.isBlank(self[start]) { start &+= 1 }
    while end > start, Grammar.isBlank(self[end &- 1]) { end &-= 1 }
    return self[slice: start, end]
  }

  /// Calls `body` with each nonempty member of a comma-separated list (RFC 9110 section 5.6.1).
  /// `escapes` is explained at ``visitPieces(separatedBy:escapes:_:)``.
  package func visitListMembers(
    escapes: Bool = true, _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    visitPieces(separatedBy: UInt8(ascii: ","), escapes: escapes) { piece in
      let member = piece.trimmed
      if member.count > 0 { body(member) }
    }
  }

  /// Calls `body` with the pieces between separators that are outside of quoted strings (RFC 9110
  /// section 5.6.4).
  ///
  /// `escapes` says whether a backslash escapes a quote, which it does not in an entity tag
  /// (section 8.8.3). An unclosed quote is an ordinary character, and so are those after it, so
  /// that it cannot hide what a proxy has appended.
  func visitPieces(
    separatedBy separator: UInt8, escapes: Bool = true,
    _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    var start = 0
    var place = 0
    var looksForQuotes = true
    while place < count {
      if self[place] == separator {
        body(self[slice: start, place])
        start = place + 1
      } else if looksForQuotes, self[place] == UInt8(ascii: "\"") {
        if let end = endOfQuoted(from: place + 1, escapes) {
          place = end
        } else {
          looksForQuotes = false
        }
      }
      place += 1
    }
    body(self[slice: start, count])
  }

  /// The position of the quote that closes a quoted string. `start` is behind the opening quote.
  private func endOfQuoted(from start: Int, _ escapes: Bool) -> Int? {
    var place = start
    while place < count {
      switch self[place] {
      case UInt8(ascii: "\""): return place
      case UInt8(ascii: "\\") where escapes: place += 2
      default: place += 1
      }
    }
    return nil
  }

  var text: String { String(decoding: self, as: UTF8.self) }
}
