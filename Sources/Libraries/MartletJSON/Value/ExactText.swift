/// A string that compares by its UTF-8 bytes.
///
/// Swift's `==` treats "é" as one scalar and as two scalars as equal. JSON does not (RFC 8259
/// section 8.3): these are two different member names, and changing one to the other is a change.
struct ExactText: Hashable {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  static func == (left: ExactText, right: ExactText) -> Bool {
    areEqual(left.text, right.text)
  }

  func hash(into hasher: inout Hasher) {
    ExactText.hash(text, into: &hasher)
  }

  static func areEqual(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
  }

  static func hash(_ text: String, into hasher: inout Hasher) {
    var copy = text
    copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // UTF-8 does not contain this byte, so it separates the text from what follows.
    hasher.combine(0xFF as UInt8)
  }
}
