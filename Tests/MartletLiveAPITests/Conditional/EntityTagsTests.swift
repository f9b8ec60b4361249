import MartletLiveQueries
import MartletStore
import Testing

@testable import MartletLiveAPI

@Suite("Entity tags (RFC 9110 sections 8.8.3 and 13.1)")
struct EntityTagsTests {
  private let tag = ETag(hash: 0x0123_4567_89ab_cdef)

  @Test(
    "Tags of the same state, in all forms that they come back in (item 57)",
    arguments: [
      #""0123456789abcdef""#, #""0123456789abcdef-gzip""#, #"W/"0123456789abcdef""#,
      #""ffffffffffffffff", "0123456789abcdef""#, #""a","0123456789abcdef" , W/"b""#, "*", " * ",
      #""a\", "0123456789abcdef""#, #""a,b","0123456789abcdef""#, "0123456789abcdef",
    ])
  func weakly(_ field: String) {
    #expect(EntityTags(field).containsWeakly(tag))
  }

  @Test(
    "What is another state, or no tag of ours (item 57)",
    arguments: [
      "", #""""#, #""0123456789abcdee""#, #""0123456789ABCDEF""#, #""0123456789abcdef"#,
      #""x,0123456789abcdef,y""#, #"W/"x,0123456789abcdef""#, #""x, W/0123456789abcdef ,""#,
      #""0123456789abcdef-br""#, #""0123456789abcdef0""#, "**x", #"w/"0123456789abcdef""#,
    ])
  func others(_ field: String) {
    #expect(!EntityTags(field).containsWeakly(tag))
  }

  @Test("A weak tag is none for If-Match (item 57)")
  func strongly() {
    #expect(EntityTags(#""0123456789abcdef""#).contains(tag))
    #expect(EntityTags(#""0123456789abcdef-gzip""#).contains(tag))
    #expect(!EntityTags(#"W/"0123456789abcdef""#).contains(tag))
    #expect(EntityTags("*").contains(tag))
  }

  @Test("An event's id, also as proxies and people write it (item 72)")
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
