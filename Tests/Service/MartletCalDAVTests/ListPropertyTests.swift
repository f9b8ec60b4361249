import MartletXML
import TestSupport
import Testing

@testable import MartletCalDAV

@Suite("Properties and paths of lists") struct ListPropertyTests {
  private let service: CalDAVService
  private let list = "/dav/lists/1/"

  init() throws { service = try CalDAVService() }

  private func set(_ property: String, of path: String) throws -> Answer {
    try change("<d:set><d:prop>\(property)</d:prop></d:set>", of: path)
  }

  private func change(
    _ steps: String, of path: String, _ fields: [(String, String)] = []
  ) throws -> Answer {
    try Answer(
      service.send(
        "PROPPATCH", path, fields,
        CalDAVService.namespaced("<d:propertyupdate>\(steps)</d:propertyupdate>")))
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

  @Test("A property has the language of what it is in, and attributes of other namespaces")
  func inherited() throws {
    let answer = try change(
      """
      <d:set xml:lang="fr"><d:prop><d:one/><d:two xml:lang="de"/>\
      <d:three q:a="1" a="2" d:a="3" xmlns:q="urn:q"/></d:prop></d:set>
      """, of: list)
    #expect(answer.dav(list, "three") != nil, "\(answer.raw.text)")
    let read = try service.propfind(list, "<d:one/><d:two/><d:three/>")
    #expect(read.dav(list, "one")?.attributes == [.language: "fr"])
    #expect(read.dav(list, "two")?.attributes == [.language: "de"])
    let names = [
      XMLName.language: "fr", XMLName("urn:q", "a"): "1", XMLName("", "a"): "2",
      DAVName.dav("a"): "3",
    ]
    #expect(read.dav(list, "three")?.attributes == names, "\(read.raw.text)")
  }

  @Test("allprop and propname show what clients have set")
  func dead() throws {
    #expect(try set("<d:keep>1</d:keep>", of: list).status == 207)
    for body in [nil, "<d:propfind><d:allprop/></d:propfind>"] {
      let all = try Answer(
        service.send("PROPFIND", list, [("Depth", "0")], body.map { CalDAVService.namespaced($0) }))
      #expect(all.dav(list, "keep")?.text == "1" && all.dav(list, "displayname") != nil)
    }
    let names = try Answer(
      service.send(
        "PROPFIND", list, [("Depth", "0")],
        CalDAVService.namespaced("<d:propfind><d:propname/></d:propfind>")))
    #expect(names.dav(list, "keep")?.text.isEmpty == true)
  }

  @Test("Evolution: a title and a color that are removed are those of a list made without them")
  func removed() throws {
    let color = XMLName(DAVName.apple, "calendar-color")
    try service.patch("/v1/lists/1", ##"{"color":"#112233"}"##)
    let both = """
      <d:set><d:prop><d:displayname>New</d:displayname></d:prop></d:set>\
      <d:remove><d:prop><a:calendar-color/></d:prop></d:remove>
      """
    let answer = try change(both, of: list)
    #expect(answer.value(list, color) != nil, "\(answer.raw.text)")
    var read = try service.propfind(list, "<d:displayname/><a:calendar-color/>")
    #expect(read.dav(list, "displayname")?.text == "New")
    #expect(read.value(list, color)?.text == "#4A99EFFF")
    let title = "<d:remove><d:prop><d:displayname/></d:prop></d:remove>"
    #expect(try change(title, of: list).dav(list, "displayname") != nil)
    read = try service.propfind(list, "<d:displayname/>")
    #expect(read.dav(list, "displayname")?.text == "1")
  }

  @Test("A property is stored only if it can be read again")
  func readable() throws {
    let namespaces = [
      String(repeating: "&quot;", count: 42), "a&#9;b", "a&lt;&apos;\u{7F}",
      String(repeating: "'", count: 256),
    ]
    for namespace in namespaces {
      let property = "<q:keep xmlns:q=\"\(namespace)\">xmlns=&#39;\(namespace)&#39;</q:keep>"
      let answer = try set(property, of: list)
      #expect(answer.status == 207 && answer.raw.text.contains("200 OK"), "\(answer.raw.text)")
    }
    let text = "<d:keep>xmlns=&quot;" + String(repeating: "a", count: 300) + "</d:keep>"
    #expect(try set(text, of: list).dav(list, "keep") != nil)
    let all = try Answer(service.send("PROPFIND", "/dav/lists/", [("Depth", "1")]))
    #expect(all.value(list, XMLName("a\tb", "keep")) != nil, "\(all.raw.text)")
    #expect(all.dav(list, "keep")?.text.utf8.count == 307)
    #expect(try service.send("GET", list).status == 200)
  }

  @Test("allprop leaves out what is of CalDAV, and propname shows it")
  func kinds() throws {
    let note = "<c:calendar-description>d</c:calendar-description>"
    #expect(try set(note, of: list).status == 207)
    func names(_ kind: String) throws -> Answer {
      try Answer(
        service.send(
          "PROPFIND", list, [("Depth", "0")],
          CalDAVService.namespaced("<d:propfind>\(kind)</d:propfind>")))
    }
    let all = try names("<d:allprop/>")
    #expect(all.caldav(list, "calendar-description") == nil && all.dav(list, "getetag") != nil)
    #expect(all.caldav(list, "supported-calendar-data") == nil)
    let included = try names(
      "<d:allprop/><d:include><c:calendar-description/><d:getetag/></d:include>")
    #expect(included.caldav(list, "calendar-description")?.text == "d")
    #expect(included.raw.text.components(separatedBy: "<D:getetag>").count == 2)
    let known = try names("<d:propname/>")
    #expect(known.caldav(list, "calendar-description") != nil)
    #expect(known.caldav(list, "supported-calendar-component-set") != nil)
  }

  @Test("Each property that the service gives is refused, except the four that clients may set")
  func protected() throws {
    let caldav = [
      "supported-calendar-component-set", "supported-calendar-data", "supported-collation-set",
      "max-resource-size", "min-date-time", "max-date-time", "max-instances", "calendar-timezone",
    ]
    let dav = [
      "resourcetype", "displayname", "getetag", "getcontenttype", "getlastmodified",
      "creationdate", "current-user-principal", "owner", "principal-URL",
      "principal-collection-set", "current-user-privilege-set", "supported-report-set",
      "sync-token", "supportedlock", "lockdiscovery",
    ]
    let names =
      caldav.map { "c:\($0)" } + dav.map { "d:\($0)" }
      + ["cs:getctag", "a:calendar-color", "a:calendar-order"]
    let given = try service.propfind(list, names.map { "<\($0)/>" }.joined())
    #expect(!given.raw.text.contains("404 Not Found"), "\(given.raw.text)")
    let free: Set = [
      "d:displayname", "a:calendar-color", "a:calendar-order", "c:calendar-timezone",
    ]
    for name in names {
      let answer = try set("<\(name)></\(name)>", of: list)
      #expect(answer.raw.text.contains("403 Forbidden") == !free.contains(name), "\(name)")
    }
    let none = try set("<d:keep/>", of: "\(list)none.ics")
    #expect(none.status == 404)
  }

  @Test("A list is changed and deleted only if the conditions hold")
  func conditions() throws {
    try service.put("\(list)a.ics", CalDAVService.todo("a"))
    let state = try service.propfind(list, "<d:getetag/><d:sync-token/>")
    let tag = try #require(state.dav(list, "getetag")?.text)
    let token = try #require(state.dav(list, "sync-token")?.text)
    #expect(try service.send("GET", list)["ETag"] == tag)
    let object = try #require(try service.send("GET", "\(list)a.ics")["ETag"])
    let keep = "<d:set><d:prop><d:keep/></d:prop></d:set>"
    let nothing = "<d:remove><d:prop><d:keep/></d:prop></d:remove>"
    let wrong: [(String, String)] = [
      ("If-Match", "\"no\""), ("If-None-Match", "*"), ("If", "([\"no\"])"),
      ("If", "(<data:,no>)"), ("If", "(Not [\(tag)])"), ("If", "<\(list)none.ics> ([\(object)])"),
      ("If", "(<\(token)> [\"no\"]) (Not <\(token)>)"), ("If", "([*])"),
      ("If", "([\"no\",\(tag)])"),
    ]
    for field in wrong {
      #expect(try service.send("DELETE", list, [field]).status == 412, "\(field)")
      #expect(try change(keep, of: list, [field]).status == 412, "\(field)")
    }
    for text in ["x", "(", "()", "(Not)", "<\(list)>", "(<\(token)>", "([\(tag)"] {
      #expect(try service.send("DELETE", list, [("If", text)]).status == 400, "\(text)")
      #expect(try service.send("GET", list, [("If", text)]).status == 200, "\(text)")
    }
    let many = String(repeating: "(<a:b>)", count: 101)
    #expect(try service.send("DELETE", list, [("If", many)]).status == 400)
    let right: [(String, String)] = [
      ("If-Match", tag), ("If", "([\(tag)])"), ("If", "(<\(token)>)"), ("If", "(Not <data:,no>)"),
      ("If", "<\(list)a.ics> ([\"no\"] ) ([\(object)] Not <\(token)>)"),
      ("If", "( [ \(tag) ] )"), ("If", "([\"a]b\"])([\(tag)])"),
      ("If", "<http://other.example\(list)>(<\(token)>)"), ("If", "([\"no\"])(<\(token)>)"),
    ]
    for field in right {
      #expect(try change(nothing, of: list, [field]).status == 207, "\(field)")
    }
    #expect(try change(keep, of: list, [("If-Match", tag)]).status == 207)
    #expect(try change(keep, of: list, [("If-Match", tag)]).status == 412, "it has a property more")
    // A sync token is a condition for what is in the list (RFC 6578 section 5).
    let same = [("If", "<\(list)>(<\(token)>)")]
    #expect(try service.put("\(list)b.ics", CalDAVService.todo("b"), same).status == 201)
    #expect(try service.put("\(list)c.ics", CalDAVService.todo("c"), same).status == 412)
    #expect(try service.send("MKCALENDAR", "/dav/lists/n/", [("If-Match", "*")]).status == 412)
    #expect(try service.send("DELETE", list, [("If-Match", tag)]).status == 412)
    #expect(try service.send("DELETE", list, [("If-Match", "*")]).status == 204)
  }

  @Test("A color that is none is refused: it would hide the one that is set elsewhere")
  func color() throws {
    let name = XMLName(DAVName.apple, "calendar-color")
    let refused = try set("<a:calendar-color>tomato</a:calendar-color>", of: list)
    #expect(refused.raw.text.contains("409 Conflict"), "\(refused.raw.text)")
    #expect(try set("<a:calendar-color> </a:calendar-color>", of: list).value(list, name) != nil)
    try service.patch("/v1/lists/1", ##"{"color":"#112233"}"##)
    let read = try service.propfind(list, "<a:calendar-color/>")
    #expect(read.value(list, name)?.text == "#112233FF")
    let made = try service.send(
      "MKCALENDAR", "/dav/lists/made/", [],
      CalDAVService.namespaced(
        "<c:mkcalendar><d:set><d:prop><a:calendar-color>tomato</a:calendar-color></d:prop></d:set></c:mkcalendar>"
      ))
    #expect(made.status == 201)
  }

  @Test("The feed of a list is sent again only if its text is another one")
  func feed() throws {
    try service.put("\(list)a.ics", CalDAVService.todo("a", "SUMMARY:a"))
    let first = try service.send("GET", list)
    let tag = try #require(first["ETag"])
    #expect(first.status == 200 && tag.hasPrefix("W/"))
    func status(_ tag: String) throws -> Int {
      try service.send("GET", list, [("If-None-Match", tag)]).status
    }
    let unchanged = try service.send("GET", list, [("If-None-Match", tag)])
    #expect(unchanged.status == 304 && unchanged["ETag"] == tag && unchanged.body.isEmpty)
    var tags = [tag]
    for change in [#"{"title":"Other"}"#, ##"{"color":"#112233"}"##] {
      try service.patch("/v1/lists/1", change)
      let next = try service.send("GET", list, [("If-None-Match", tags[tags.count - 1])])
      #expect(next.status == 200, "\(change)")
      tags.append(try #require(next["ETag"]))
    }
    try service.put("\(list)b.ics", CalDAVService.todo("b", "SUMMARY:b"))
    #expect(try status(tags[2]) == 200)
    #expect(Set(tags).count == 3)
  }

  @Test("With another --time-zone, texts and their tags are other ones")
  func zone() throws {
    let folder = try TemporaryFolder()
    func read(_ zone: String, _ old: (tag: String, token: String)?) throws -> (
      String, String, String
    ) {
      let service = try CalDAVService(zone: zone, in: folder)
      if old == nil {
        try service.put("\(list)a.ics", CalDAVService.todo("a", "DUE:20261121T080000"))
        try service.patch("/v1/reminders/1", #"{"notes":"changed"}"#)
      }
      let tag = try #require(try service.send("GET", "\(list)a.ics")["ETag"])
      let token = try #require(
        try service.propfind(list, "<d:sync-token/>").dav(list, "sync-token")?.text)
      if let old {
        let sync = try service.report(
          list,
          "<d:sync-collection><d:sync-token>\(old.token)</d:sync-token><d:sync-level>1</d:sync-level><d:prop/></d:sync-collection>"
        )
        #expect(sync.status == (token == old.token ? 207 : 403), "\(sync.raw.text)")
        let got = try service.send("GET", "\(list)a.ics", [("If-None-Match", old.tag)])
        #expect(got.status == (tag == old.tag ? 304 : 200))
      }
      return (tag, token, try service.text("\(list)a.ics"))
    }
    let vienna = try read("Europe/Vienna", nil)
    let again = try read("Europe/Vienna", (vienna.0, vienna.1))
    #expect(again == vienna)
    let lisbon = try read("Europe/Lisbon", (vienna.0, vienna.1))
    #expect(lisbon.0 != vienna.0 && lisbon.1 != vienna.1 && lisbon.2 != vienna.2)
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
