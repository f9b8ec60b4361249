import Foundation
import TestSupport
import Testing

@Suite("CalDAV in the program") struct CalDAVTests {
  @Test("--no-caldav leaves it out")
  func left() throws {
    let with = try MartletProcess()
    let client = try RawClient(port: with.port)
    #expect(try client.request("PROPFIND", "/dav/").status == 207)
    #expect(try client.get("/.well-known/caldav").status == 301)
    let without = try MartletProcess(["--no-caldav"])
    let other = try RawClient(port: without.port)
    for path in ["/dav/", "/dav/lists/", "/dav/lists/1/", "/dav/lists/1/a.ics"] {
      for method in ["PROPFIND", "REPORT", "OPTIONS", "GET", "PUT", "MKCALENDAR"] {
        #expect(try other.request(method, path).status == 404, "\(method) \(path)")
      }
    }
    #expect(try other.get("/.well-known/caldav").status == 404)
    #expect(try other.get("/v1/lists").status == 200)
  }

  @Test("Requests are counted by method, and reports by name")
  func counted() throws {
    let server = try MartletProcess()
    let client = try RawClient(port: server.port)
    func report(_ name: String) throws {
      let body =
        "<c:\(name) xmlns:c='urn:ietf:params:xml:ns:caldav' xmlns:d='DAV:'>"
        + "<c:filter><c:comp-filter name='VCALENDAR'/></c:filter></c:\(name)>"
      _ = try client.request("REPORT", "/dav/lists/1/", [("Depth", "1")], body: body)
    }
    for _ in 1...2 { _ = try client.request("PROPFIND", "/dav/lists/") }
    try report("calendar-query")
    for number in 1...3 { try report("other-\(number)") }
    let metrics = try client.get("/metrics").text
    func has(_ method: String, _ report: String, _ count: Int) -> Bool {
      metrics.contains(
        "martlet_dav_requests_total{method=\"\(method)\",report=\"\(report)\"} \(count)\n")
    }
    #expect(has("PROPFIND", "", 2) && has("REPORT", "calendar-query", 1))
    // A client cannot make labels.
    #expect(has("REPORT", "other", 3) && !metrics.contains("other-1"), "\(metrics)")
  }

  @Test("Pages of other sites, and names that were bound to this machine, change nothing")
  func access() throws {
    let server = try MartletProcess()
    let client = try RawClient(port: server.port)
    for (method, path) in [
      ("PUT", "/dav/lists/1/a.ics"), ("DELETE", "/dav/lists/1/"), ("PROPPATCH", "/dav/lists/1/"),
      ("MKCALENDAR", "/dav/lists/n/"), ("MOVE", "/dav/lists/1/a.ics"),
    ] {
      let crossed = try client.request(method, path, [("Sec-Fetch-Site", "cross-site")])
      #expect(crossed.status == 403, "\(method)")
      let named = try RawClient(port: server.port)
      try named.send(
        "\(method) \(path) HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\n\r\n")
      #expect(try named.response().status == 421, "\(method)")
    }
  }

  @Test("Guesses of passwords are limited as those of keys are")
  func guesses() throws {
    let service = try KeyedService(["--max-key-failures", "3"])
    let client = try RawClient(port: service.server.port)
    let key = try #require(service.keys["read"])
    func password(_ text: String) -> [(String, String)] {
      [("Authorization", "Basic " + Data("me:\(text)".utf8).base64EncodedString())]
    }
    #expect(try client.request("PROPFIND", "/dav/", password(key)).status == 207)
    let wrong = password(key.dropLast(32) + String(repeating: "a", count: 32))
    var statuses: [Int] = []
    for _ in 0..<5 { statuses.append(try client.request("PROPFIND", "/dav/", wrong).status) }
    #expect(statuses == [401, 401, 401, 429, 429], "\(statuses)")
    #expect(try client.request("PROPFIND", "/dav/", password(key)).status == 207)
  }
}
