@testable import MartletStore

extension FuzzTarget {
  /// The cursor of a page. A valid cursor can be written, and reads back the same.
  static let cursor = FuzzTarget(name: "cursor") {
    { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      guard let cursor = PageCursor(text) else { return }
      let again = PageCursor(cursor.text)
      // Compared as text: a key may be NaN, which does not equal itself.
      try expect(again?.text == cursor.text, "it is written as \(cursor.text)")
      try expect(again?.keys.count == cursor.keys.count, "it lost keys")
    }
  }
}
