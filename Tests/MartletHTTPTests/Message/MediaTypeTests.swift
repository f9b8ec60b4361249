import Testing

@testable import MartletHTTP

@Suite("RFC 9110 8.3.1: media types")
struct MediaTypeTests {
  @Test(
    "read without parameters, in lowercase",
    arguments: [
      ("application/json", "application/json"), ("Text/HTML; charset=x", "text/html"),
      ("a/b ;c", "a/b"), ("a", nil), ("a/b/c", nil), ("a /b", nil), ("/", nil), ("", nil),
    ] as [(String, String?)])
  func read(_ text: String, _ expected: String?) {
    let type: MediaType? = MediaType(text)
    #expect(type?.description == expected)
  }
}
