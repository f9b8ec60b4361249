import MartletSQLite
import Testing

@testable import MartletStore

@Suite("Page cursors")
struct PageCursorTests {
  @Test("Encoding and decoding round-trip")
  func roundTrip() {
    let cursors = [
      PageCursor(fingerprint: 0, keys: []),
      PageCursor(fingerprint: .max, keys: [.null, .integer(.min), .integer(.max)]),
      PageCursor(fingerprint: 7, keys: [.text(""), .text("ä\0🐦"), .real(-0.1), .blob([0, 255])]),
    ]
    for cursor in cursors {
      #expect(PageCursor(cursor.text) == cursor)
      #expect(
        cursor.text.utf8.allSatisfy { byte in
          Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
            .contains(byte)
        })
    }
  }

  @Test("Invalid text is rejected without a trap")
  func forgeries() {
    for text in [
      "", "=", "AA", "%", "AAAAAAAAAAAAAAAAAAAAAAAAAAAA", String(repeating: "A", count: 9999),
    ] {
      #expect(PageCursor(text) == nil)
    }
    var generator = SystemRandomNumberGenerator()
    let real = PageCursor(fingerprint: 1, keys: [.text("abc"), .integer(3)]).text
    for _ in 0..<2000 {
      var bytes = Array(real.utf8)
      bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 33...126)
      bytes.removeLast(Int.random(in: 0...3, using: &generator))
      // Accepted or rejected; a forged length must not be trusted.
      _ = PageCursor(String(decoding: bytes, as: UTF8.self))
    }
  }
}
