import JSON

/// Text with matches between U+0001 and U+0002, as a JSON string that is safe inside HTML: the marks
/// become `before` and `after`, everything else is escaped.
enum MarkedText {
  static let start: UInt8 = 1
  static let end: UInt8 = 2

  static func append(
    _ text: UnsafeBufferPointer<UInt8>, before: String, after: String, to buffer: ByteBuffer
  ) {
    // Escaped first, as bytes; then written as any other string.
    let html = ByteBuffer(capacity: text.count + 64)
    for byte in text {
      switch byte {
      case start: html.append(utf8: before)
      case end: html.append(utf8: after)
      case UInt8(ascii: "&"): html.append("&amp;")
      case UInt8(ascii: "<"): html.append("&lt;")
      case UInt8(ascii: ">"): html.append("&gt;")
      case UInt8(ascii: "\""): html.append("&quot;")
      case UInt8(ascii: "'"): html.append("&#39;")
      default: html.append(byte)
      }
    }
    JSONWriter.string(html.bytes, into: buffer)
  }
}
