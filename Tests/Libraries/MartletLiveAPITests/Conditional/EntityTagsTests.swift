import MartletLiveQueries
import MartletStore
import Testing

@testable import MartletLiveAPI

@Suite("Entity tags (RFC 9110 sections 8.8.3 and 13.1)")
struct EntityTagsTests {
  private let tag = ETag(hash: 0x0123_4567_89ab_cdef)

  @Test(
    "All forms of a tag of the same state match (item 57)",
    arguments: [
      #""0123456789abcdef""#, #""0123456789abcdef-gzip""#, #"W/"0123456789abcdef""#,
      #""ffffffffffffffff", "0123456789abcdef""#, #""a","0123456789abcdef" , W/"b""#, "*", " * ",
      #""a\", "0123456789abcdef""#, #""a,b","0123456789abcdef""#, "0123456789abcdef",
    ])
  func weakly(_ field: String) {
    #expect(EntityTags(field).contains(tag))
  }

  @Test(
    "Tags of another state and foreign tags do not match (item 57)",
    arguments: [
      "", #""""#, #""0123456789abcdee""#, #""0123456789ABCDEF""#, #""0123456789abcdef"#,
      #""x,0123456789abcdef,y""#, #"W/"x,0123456789abcdef""#, #""x, W/0123456789abcdef ,""#,
      #""0123456789abcdef-br""#, #""0123456789abcdef0""#, "**x", #"w/"0123456789abcdef""#,
    ])
  func others(_ field: String) {
    #expect(!EntityTags(field).contains(tag))
  }

  @Test("An event's ID is accepted weak, compressed and without quotes (item 72)")
  func lastEvent() {
    for text in [
      #""0123456789abcdef""#, "0123456789abcdef", #"W/"0123456789abcdef""#,
      #""0123456789abcdef-gzip""#,
    ] {
      #expect(ETag(lastEventID: text) == tag)
    }
    #expect(ETag(lastEventID: "7") == nil)
  }
}
