/// A string that is equal to another only when their bytes are.
///
/// Swift's own `==` takes "é" written as one scalar and as two for the same. JSON does not (RFC
/// 8259 section 8.3): two members, and a change from one spelling to the other is a change.
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
    // No string has this byte: what follows does not run into it.
    hasher.combine(0xFF as UInt8)
  }
}
