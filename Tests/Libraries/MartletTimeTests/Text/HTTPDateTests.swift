import MartletTime
import Testing

@Suite("RFC 9110 section 5.6.7") struct HTTPDateTests {
  let example = Instant(seconds: 784_111_777)

  @Test func writes() {
    #expect(HTTPDate.string(example) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(HTTPDate.string(.epoch) == "Thu, 01 Jan 1970 00:00:00 GMT")
    #expect(HTTPDate.string(Instant(milliseconds: .max)) == "Fri, 31 Dec 9999 23:59:59 GMT")
  }
}
