import Testing

@testable import MartletReminders

@Suite("Validation of tag titles")
struct TagTitleTests {
  private func read(_ text: String) -> String? { try? TagTitle.read(text).get() }

  @Test("Titles are normalized to NFC")
  func normalized() {
    #expect(read("e\u{301}")?.unicodeScalars.map(\.value) == [0xE9])
    #expect(read("\u{212B}")?.unicodeScalars.map(\.value) == [0xC5])
    #expect(read("\u{1100}\u{1161}")?.unicodeScalars.map(\.value) == [0xAC00])
    #expect(read("plain") == "plain")
  }

  @Test(
    "Invalid titles",
    arguments: ["", ".", "..", "a\u{0}", "a\nb", "\u{7F}", String(repeating: "x", count: 101)])
  func refused(_ text: String) {
    #expect(read(text) == nil)
  }

  @Test(
    "Valid titles",
    arguments: ["...", " ", "a/b", "ÄÖ", "🚗", String(repeating: "x", count: 100)])
  func accepted(_ text: String) {
    #expect(read(text) == text)
  }
}
