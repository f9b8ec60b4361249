/// Text with matches between the bytes 0xF8 and 0xF9, as a JSON string that is safe inside HTML: the marks become
/// `before` and `after`, everything else is escaped.
///
/// No text in UTF-8 holds those bytes (RFC 3629 section 3), so none can be taken for a mark. In text that is not
/// UTF-8 they can be: whatever the bytes are, each `before` has its `after`.
package enum MarkedText {
  package static let start: UInt8 = 0xF8
  package static let end: UInt8 = 0xF9

  package static func append(
    _ text: UnsafeBufferPointer<UInt8>, before: String, after: String, to buffer: ByteBuffer
  ) {
    // Escaped first, as bytes; then written as any other string.
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
