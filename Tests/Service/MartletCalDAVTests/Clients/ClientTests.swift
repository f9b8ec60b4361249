import Foundation
import MartletXML
import TestSupport
import Testing

@testable import MartletCalDAV

@Suite("What all clients ask, and hostile ones") struct ClientTests {
  private let service: CalDAVService
  private let list = "/dav/lists/1/"

  init() throws { service = try CalDAVService() }

  @Test(
    "Well-known: every method is led to /dav/",
    arguments: ["GET", "PROPFIND", "PUT", "POST", "OPTIONS"])
  func wellKnown(_ method: String) throws {
    let answer = try service.send(method, "/.well-known/caldav")
    #expect(answer.status == 301 && answer["Location"] == "/dav/")
  }

  @Test("A minimal answer names no properties that are not there")
  func minimal() throws {
    let answer = try service.propfind(
      list, "<d:displayname/><d:nothing/>", [("Prefer", "return=minimal")])
    #expect(!answer.raw.text.contains("nothing"))
    #expect(try service.propfind(list, "<d:nothing/>").raw.text.contains("404 Not Found"))
    let infinite = try service.send("PROPFIND", list, [("Depth", "infinity")])
    #expect(infinite.status == 403 && infinite.text.contains("propfind-finite-depth"))
    // An empty body asks for all of them.
    #expect(try service.send("PROPFIND", list, [("Depth", "0")]).text.contains("getctag"))
  }

  @Test("cadaver: COPY and LOCK are not allowed, and MKCOL makes a list once")
  func cadaver() throws {
    #expect(try service.send("COPY", "\(list)a.ics").status == 405)
    #expect(try service.send("LOCK", list).status == 405)
    #expect(try service.send("MKCOL", "/dav/lists/new/").status == 201)
    #expect(try service.send("MKCOL", "/dav/lists/new/").status == 405)
    #expect(try service.send("MKCALENDAR", "/dav/lists/new/").status == 403)
    #expect(try service.send("MKCALENDAR", "/dav/lists/12/").status == 403)
    #expect(try service.send("DELETE", "/dav/lists/new/").status == 204)
    #expect(try service.send("PROPFIND", "/dav/lists/new/").status == 404)
  }

  @Test("A feed of a list is one calendar")
  func feed() throws {
    try service.put("\(list)a.ics", CalDAVService.todo("a", "SUMMARY:One"))
    try service.put("\(list)b.ics", CalDAVService.todo("b", "SUMMARY:Two"))
    let feed = try service.send("GET", list)
    #expect(feed.status == 200 && feed["Content-Type"] == "text/calendar; charset=utf-8")
    #expect(feed.text.components(separatedBy: "BEGIN:VTODO").count == 3)
    #expect(feed.text.components(separatedBy: "BEGIN:VCALENDAR").count == 2)
  }

  @Test("What a phone ticks off is on an event stream")
  func stream() throws {
    try service.put("\(list)a.ics", CalDAVService.todo("a", "SUMMARY:One"))
    let streams = StreamClient(port: service.port)
    try streams.open("/v1/reminders?completed=false")
    #expect(streams.wait { $0[0].events.count == 1 })
    try service.put(
      "\(list)a.ics",
      CalDAVService.todo("a", "SUMMARY:One", "STATUS:COMPLETED", "COMPLETED:20261120T120000Z"))
    #expect(streams.wait { $0[0].events.last?.data.contains(#""items":[]"#) == true })
  }

  @Test("Hostile requests get an answer, and no 500")
  func hostile() throws {
    let bodies = [
      "", "<", "<a/>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
      String(repeating: "<a>", count: 100), "\u{0}",
      "<a xmlns='\(String(repeating: "x", count: 300))'/>",
    ]
    for method in ["PROPFIND", "PROPPATCH", "REPORT", "MKCALENDAR", "PUT", "DELETE", "MOVE"] {
      for path in ["/dav/", "/dav/lists/", "/dav/lists/%2F/", "\(list)x.ics", "\(list)%FF%41"] {
        for body in bodies { try service.send(method, path, [], body) }
      }
    }
  }
}
