import Testing

@testable import MartletHTTP

@Suite("Media types (RFC 9110 8.3.1)")
struct MediaTypeTests {
  @Test(
    "Media types are parsed without parameters and lowercased",
    arguments: [
      ("application/json", "application/json"), ("Text/HTML; charset=x", "text/html"),
      ("a/b ;c", "a/b"), ("a", nil), ("a/b/c", nil), ("a /b", nil), ("/", nil), ("", nil),
    ] as [(String, String?)])
  func read(_ text: String, _ expected: String?) {
    let type: MediaType? = MediaType(text)
    #expect(type?.description == expected)
  }
}
