/// Writes a text with matches between the bytes 0xF8 and 0xF9 as a JSON string of safe HTML. The
/// marks become `before` and `after`, and everything else is escaped.
///
/// UTF-8 does not contain these bytes (RFC 3629 section 3), so no text is mistaken for a mark.
/// Malformed text can contain them; each `before` is closed by an `after` in any case.
package enum MarkedText {
  /// The byte in front of a match.
  package static let start: UInt8 = 0xF8
  /// The byte after a match.
  package static let end: UInt8 = 0xF9

  /// Writes the text to the buffer.
  package static func append(
    _ text: UnsafeBufferPointer<UInt8>, before: String, after: String, to buffer: ByteBuffer
  ) {
    // Escapes for HTML first, then writes the result like any other string.
    let html = ByteBuffer(capacity: text.count + 64)
    var isOpen = false
    for byte in text {
      switch byte {
      case start:
        if !isOpen { html.append(utf8: before) }
        isOpen = true
      case end:
        if isOpen { html.append(utf8: after) }
        isOpen = false
      case UInt8(ascii: "&"): html.append("&amp;")
      case UInt8(ascii: "<"): html.append("&lt;")
      case UInt8(ascii: ">"): html.append("&gt;")
      case UInt8(ascii: "\""): html.append("&quot;")
      case UInt8(ascii: "'"): html.append("&#39;")
      default: html.append(byte)
      }
    }
    if isOpen { html.append(utf8: after) }
    JSONWriter.string(repairing: html.bytes, into: buffer)
  }
}
