@testable import MartletStore

extension FuzzTarget {
  /// A page's cursor. What is taken for one can be written, and reads the same.
  static let cursor = FuzzTarget(name: "cursor") {
    { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      guard let cursor = PageCursor(text) else { return }
      let again = PageCursor(cursor.text)
      // By their texts: a key may be a NaN, which equals nothing.
      try expect(again?.text == cursor.text, "it is written as \(cursor.text)")
      try expect(again?.keys.count == cursor.keys.count, "it lost keys")
    }
  }
}
