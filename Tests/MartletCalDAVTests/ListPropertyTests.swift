import MartletXML
import TestSupport
import Testing

@testable import MartletCalDAV

@Suite("Properties and paths of lists") struct ListPropertyTests {
  private let service: CalDAVService
  private let list = "/dav/lists/1/"

  init() throws { service = try CalDAVService() }

  private func set(_ property: String, of path: String) throws -> Answer {
    try Answer(
      service.send(
        "PROPPATCH", path, [],
        CalDAVService.namespaced(
          "<d:propertyupdate><d:set><d:prop>\(property)</d:prop></d:set></d:propertyupdate>")))
  }

  @Test("A property comes back with its attributes, its language and the order of its content")
  func whole() throws {
    let note = #"<d:note b="1" xml:lang="de">eins<d:x c="2"/>zwei<d:y/></d:note>"#
    #expect(try set(note, of: list).dav(list, "note") != nil)
    let read = try service.propfind(list, "<d:note/>")
    #expect(
      read.raw.text.contains(
        #"<D:note b="1" xml:lang="de">eins<D:x c="2"></D:x>zwei<D:y></D:y></D:note>"#),
      "\(read.raw.text)")
  }

  @Test("A property with the prefix xml takes no other one away")
  func reserved() throws {
    #expect(try set("<d:keep>1</d:keep>", of: list).status == 207)
    let name = XMLName("http://www.w3.org/XML/1998/namespace", "foo")
    #expect(try set("<xml:foo>2</xml:foo>", of: list).value(list, name) != nil)
    #expect(try set("<d:other>3</d:other>", of: list).status == 207)
    let read = try service.propfind(list, "<d:keep/><xml:foo/><d:other/>")
    #expect(read.dav(list, "keep")?.text == "1" && read.dav(list, "other")?.text == "3")
    #expect(read.value(list, name)?.text == "2")
  }

  @Test("A list that is restored from the trash has its path and its properties again")
  func restored() throws {
    let path = "/dav/lists/named/"
    try service.send("MKCALENDAR", path)
    #expect(try set("<d:keep>1</d:keep>", of: path).status == 207)
    try service.put("\(path)a.ics", CalDAVService.todo("a"))
    let token = try #require(try service.propfind(path, "<d:sync-token/>").dav(path, "sync-token"))
    func restore() throws {
      try service.send("DELETE", path)
      let entry = try #require(try service.send("GET", "/v1/trash").items.first?["id"] as? Int)
      #expect(try service.propfind(path, "<d:keep/>").status == 404)
      let restored = try service.send("POST", "/v1/trash/\(entry)/restore")
      #expect(restored.status == 201, "\(restored.text)")
    }
    try restore()
    #expect(try service.propfind(path, "<d:keep/>").dav(path, "keep")?.text == "1")
    let sync = try service.report(
      path,
      """
      <d:sync-collection><d:sync-token>\(token.text)</d:sync-token><d:sync-level>1</d:sync-level>\
      <d:prop><d:getetag/></d:prop></d:sync-collection>
      """)
    #expect(sync.hrefs == ["\(path)a.ics"])
    try service.send("DELETE", path)
    let entry = try #require(try service.send("GET", "/v1/trash").items.first?["id"] as? Int)
    try service.send("MKCALENDAR", path)
    #expect(try service.send("POST", "/v1/trash/\(entry)/restore").status == 201)
    #expect(try service.propfind(path, "<d:keep/>").dav(path, "keep") == nil)
    let home = try service.propfind("/dav/lists/", depth: 1, "<d:keep/>")
    #expect(home.responses.count == 4)
  }
}
