import Foundation
import TestSupport
import Testing

@testable import MartletCalDAV

@Suite("Reminders as calendar objects") struct ObjectTests {
  private let service: CalDAVService

  init() throws { service = try CalDAVService() }

  private func todo(_ uid: String, _ lines: String...) -> String {
    (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN", "BEGIN:VTODO", "UID:\(uid)"] + lines
      + ["END:VTODO", "END:VCALENDAR", ""]).joined(separator: "\r\n")
  }

  @Test("A PUT needs no Content-Type, and the name of an object may have slashes")
  func generous() throws {
    let path = "/dav/lists/1/a%2Fb%20c.ics"
    let text = todo("a/b c", "SUMMARY:Milk")
    #expect(try service.send("PUT", path, [], text).status == 201)
    #expect(try service.text(path) == text)
    #expect(
      try service.report(
        "/dav/lists/1/",
        "<d:sync-collection><d:sync-token/><d:sync-level>1</d:sync-level><d:prop><d:getetag/></d:prop></d:sync-collection>"
      ).hrefs == [path])
    let other = "/dav/lists/1/x%2Fy.ics"
    #expect(try service.send("MOVE", path, [("Destination", other)]).status == 201)
    #expect(try service.send("DELETE", other).status == 204)
    for name in ["..%2Fa.ics", "a%2F..%2Fb.ics", "a%2F.", "..", "a%0A.ics"] {
      let refused = try service.put("/dav/lists/1/\(name)", todo("z"))
      #expect([400, 403, 404].contains(refused.status), "\(name): \(refused.status)")
    }
    #expect(try service.reminders().isEmpty)
    #expect(try service.send("MKCALENDAR", "/dav/lists/a%2Fb/").status == 403)
  }

  @Test("What has one meaning is read, and the answer has no entity tag if a part was left out")
  func leftOut() throws {
    let good = todo("a", "SUMMARY:Milk", "DUE ; VALUE=DATE : 20270131".replacing(": ", with: ":"))
    #expect(try service.put("/dav/lists/1/a.ics", good)["ETag"] != nil)
    #expect(try service.reminders()["Milk"]?["dueDate"] as? String == "2027-01-31")
    let alarm = ["BEGIN:VALARM", "ACTION:DISPLAY"]
    let alarms =
      alarm + ["TRIGGER-PT5M", "END:VALARM"] + alarm + ["TRIGGER;RELATED=END:-PT1H", "END:VALARM"]
    let text = CalDAVService.todo("b", ["SUMMARY:Bread", "DUE:20270131T100000Z"] + alarms)
    let made = try service.put("/dav/lists/1/b.ics", text + "-- \r\nsent by x\r\n")
    #expect(made.status == 201 && made["ETag"] == nil, "\(made.text)")
    let read = try service.text("/dav/lists/1/b.ics")
    #expect(read.contains("TRIGGER;RELATED=END:-PT1H") && read.hasSuffix("END:VCALENDAR\r\n"))
    #expect(!read.contains("PT5M") && !read.contains("sent by"))
    let refused = try service.put("/dav/lists/1/c.ics", todo("c", "DUE;VALUE=DATE:0NaNaNaN"))
    #expect(refused.status == 403 && refused.text.contains("0NaNaNaN"))
  }

  @Test("Bytes come back as they were put, until somebody changes the reminder")
  func bytes() throws {
    let text = todo("a@b", "SUMMARY;X-P=1:Milk", "X-OTHER:kept", "SEQUENCE:4", "PRIORITY:4")
    let made = try service.put("/dav/lists/1/a%40b.ics", text, [("If-None-Match", "*")])
    #expect(made.status == 201)
    let read = try service.send("GET", "/dav/lists/1/a@b.ics")
    #expect(read.text == text && read["ETag"] == made["ETag"])
    #expect(read["Content-Type"] == "text/calendar; charset=utf-8; component=VTODO")
    #expect(
      try service.send("GET", "/dav/lists/1/a@b.ics", [("If-None-Match", made["ETag"] ?? "")])
        .status == 304)
    let reminder = try #require(try service.reminders()["Milk"])
    #expect(reminder["priority"] as? String == "high" && reminder["uid"] as? String == "a@b")
    // A new order is no change of the text.
    let id = try #require(reminder["id"] as? Int)
    try service.send("POST", "/v1/lists/1/reminders", [], #"{"title":"Bread"}"#)
    try service.send(
      "PUT", "/v1/reminders/\(id)/position", [("Content-Type", "application/json")],
      #"{"last":true}"#)
    #expect(try service.text("/dav/lists/1/a@b.ics") == text)
    #expect(try service.patch("/v1/reminders/\(id)", #"{"title":"Oat milk"}"#).status == 200)
    let changed = try service.send("GET", "/dav/lists/1/a@b.ics")
    #expect(changed["ETag"] != made["ETag"])
    for line in ["UID:a@b", "SUMMARY:Oat milk", "X-OTHER:kept", "SEQUENCE:5", "PRIORITY:4"] {
      #expect(changed.text.contains("\r\n\(line)\r\n"), "\(line) in \(changed.text)")
    }
  }

  @Test("Preconditions hold inside the write")
  func preconditions() throws {
    let path = "/dav/lists/1/x.ics"
    #expect(try service.put(path, todo("x"), [("If-Match", "\"1-1\"")]).status == 412)
    let tag = try #require(try service.put(path, todo("x", "SUMMARY:1"))["ETag"])
    #expect(try service.put(path, todo("x"), [("If-None-Match", "*")]).status == 412)
    let second = try service.put(path, todo("x", "SUMMARY:2"), [("If-Match", tag)])
    #expect(second.status == 204)
    #expect(try service.put(path, todo("x"), [("If-Match", tag)]).status == 412)
    #expect(try service.send("DELETE", path, [("If-Match", tag)]).status == 412)
    #expect(
      try service.send("DELETE", path, [("If-Match", second["ETag"] ?? "")]).status == 204)
    #expect(try service.send("DELETE", path).status == 404)
  }

  @Test("What is no object is refused with its precondition")
  func refused() throws {
    func condition(_ text: String, _ path: String = "/dav/lists/1/x.ics") throws -> String {
      let answer = try service.put(path, text)
      return "\(answer.status) \(answer.text)"
    }
    let data = try condition("nonsense")
    #expect(data.hasPrefix("403") && data.contains("C:valid-calendar-data"))
    #expect(try condition(todo("x", "DUE:tomorrow")).contains("C:valid-calendar-data"))
    // Later it would be written beside the other one, and could not be put back.
    for inner in [
      ["BEGIN:VTODO", "DUE:20270230T000000Z", "END:VTODO"], ["BEGIN:vtodo", "END:VTODO"],
    ] {
      let nested = todo("x").replacingOccurrences(
        of: "END:VTODO", with: inner.joined(separator: "\r\n") + "\r\nEND:VTODO")
      #expect(try condition(nested).contains("C:valid-calendar-data"))
    }
    let two = todo("x").replacingOccurrences(
      of: "END:VCALENDAR", with: "BEGIN:VTODO\r\nUID:y\r\nEND:VTODO\r\nEND:VCALENDAR")
    #expect(try condition(two).contains("C:valid-calendar-object-resource"))
    let method = todo("x").replacingOccurrences(of: "VERSION", with: "METHOD:PUBLISH\r\nVERSION")
    #expect(try condition(method).contains("C:valid-calendar-object-resource"))
    let event = todo("x").replacingOccurrences(of: "VTODO", with: "VEVENT")
    #expect(try condition(event).contains("C:supported-calendar-component"))
    #expect(try service.put("/dav/lists/1/x.ics", todo("x")).status == 201)
    let conflict = try condition(todo("x"), "/dav/lists/1/y.ics")
    #expect(conflict.contains("C:no-uid-conflict") && conflict.contains("/dav/lists/1/x.ics"))
    #expect(try condition(todo("z")).contains("C:no-uid-conflict"))
    #expect(try condition(todo("n"), "/dav/lists/99/x.ics").hasPrefix("409"))
    #expect(try condition(todo("n"), "/dav/lists/1/m-99.ics").hasPrefix("403"))
    let large = todo("l", "X:" + String(repeating: "y", count: (1 << 20) + (1 << 18)))
    #expect(try condition(large, "/dav/lists/1/l.ics").contains("C:max-resource-size"))
    let type = try service.send("PUT", "/dav/lists/1/t.ics", [("Content-Type", "text/html")], "x")
    #expect(type.status == 415)
  }

  @Test("A text that grew when the service folded its lines can be stored again")
  func folded() throws {
    // Long lines are folded, and short ones get a carriage return each.
    let text = todo("f", "SUMMARY:f", "X-F:" + String(repeating: "y", count: 1 << 19))
      .replacingOccurrences(
        of: "END:VTODO", with: String(repeating: "X:\n", count: 174_000) + "END:VTODO")
    #expect(try service.put("/dav/lists/1/f.ics", text).status == 201)
    let id = try #require(try service.reminders()["f"]?["id"] as? Int)
    try service.patch("/v1/reminders/\(id)", #"{"isFlagged":true}"#)
    let read = try service.text("/dav/lists/1/f.ics")
    #expect(read.utf8.count > (1 << 20) + (1 << 17))
    #expect(try service.put("/dav/lists/1/f.ics", read).status == 204)
  }

  @Test("A rule of the service refuses nothing")
  func rules() throws {
    let title = String(repeating: "t", count: 1_500)
    let text = todo(
      "r", "SUMMARY:\(title)", "CATEGORIES:a,b,c,d,e,f", "RELATED-TO:r", "X-A:1")
    #expect(try service.put("/dav/lists/1/r.ics", text)["ETag"] != nil)
    #expect(try service.text("/dav/lists/1/r.ics") == text)
    let reminder = try #require(try service.reminders().values.first)
    #expect((reminder["title"] as? String)?.count == 1_000)
    #expect((reminder["tags"] as? [String])?.count == 5)
    let id = try #require(reminder["id"] as? Int)
    try service.patch("/v1/reminders/\(id)", #"{"isFlagged":true}"#)
    let unfolded = try service.text("/dav/lists/1/r.ics").replacingOccurrences(
      of: "\r\n ", with: "")
    #expect(unfolded.contains("SUMMARY:\(title)\r\n"))
    #expect(unfolded.contains("CATEGORIES:a,b,c,d,e,f") && unfolded.contains("RELATED-TO:r"))
  }

  @Test("A parent may come after its subtask, and each object stands alone")
  func parents() throws {
    let child = todo("c", "SUMMARY:Child", "RELATED-TO:p")
    #expect(try service.put("/dav/lists/1/c.ics", child).status == 201)
    #expect(try service.text("/dav/lists/1/c.ics") == child)
    #expect(try service.reminders()["Child"]?["parentID"] is NSNull)
    #expect(try service.put("/dav/lists/1/p.ics", todo("p", "SUMMARY:Parent")).status == 201)
    let parent = try #require(try service.reminders()["Parent"]?["id"] as? Int)
    #expect(try service.reminders()["Child"]?["parentID"] as? Int == parent)
    #expect(try service.text("/dav/lists/1/c.ics").contains("RELATED-TO:p\r\n"))
    // A cycle is kept in the text alone.
    let cycle = todo("p", "SUMMARY:Parent", "RELATED-TO:c")
    #expect(try service.put("/dav/lists/1/p.ics", cycle).status == 204)
    #expect(try service.text("/dav/lists/1/p.ics") == cycle)
    #expect(try service.send("DELETE", "/dav/lists/1/p.ics").status == 204)
    #expect(try service.reminders()["Child"]?["parentID"] is NSNull)
    #expect(try service.text("/dav/lists/1/c.ics").contains("RELATED-TO:p\r\n"))
  }

  @Test("MOVE renames, and moves between lists")
  func move() throws {
    #expect(
      try service.send("MKCALENDAR", "/dav/lists/work/").status == 201)
    let text = todo("m", "SUMMARY:Moved", "X-A:1")
    try service.put("/dav/lists/1/m.ics", text)
    let host = "http://127.0.0.1:\(service.port)"
    let moved = try service.send(
      "MOVE", "/dav/lists/1/m.ics", [("Destination", "\(host)/dav/lists/work/n%20n.ics")])
    #expect(moved.status == 201)
    #expect(try service.send("GET", "/dav/lists/1/m.ics").status == 404)
    #expect(try service.text("/dav/lists/work/n%20n.ics") == text)
    try service.put("/dav/lists/work/other.ics", todo("o", "SUMMARY:Other"))
    let refused = try service.send(
      "MOVE", "/dav/lists/work/other.ics",
      [("Destination", "/dav/lists/work/n%20n.ics"), ("Overwrite", "F")])
    #expect(refused.status == 412)
    let replaced = try service.send(
      "MOVE", "/dav/lists/work/other.ics", [("Destination", "/dav/lists/work/n%20n.ics")])
    #expect(replaced.status == 204)
    #expect(try service.text("/dav/lists/work/n%20n.ics").contains("UID:o"))
  }

  @Test("What JSON creates has a made name, and the dates have their zone")
  func fromJSON() throws {
    let made = try service.send(
      "POST", "/v1/lists/1/reminders", [("Content-Type", "application/json")],
      """
      {"title":"Call","dueDate":"2026-11-23T09:00:00Z","timeZone":"Europe/Vienna",\
      "recurrence":{"rule":"FREQ=WEEKLY;COUNT=3"},"alarms":[{"offset":"-PT10M"}]}
      """)
    #expect(made.status == 201, "\(made.text)")
    let id = try #require(made.json["id"] as? Int)
    let text = try service.text("/dav/lists/1/m-\(id).ics")
    for line in [
      "BEGIN:VTIMEZONE", "TZID:Europe/Vienna", "DTSTART;TZID=Europe/Vienna:20261123T100000",
      "DUE;TZID=Europe/Vienna:20261123T100000", "STATUS:NEEDS-ACTION",
      "TRIGGER;RELATED=END:-PT10M", "ACTION:DISPLAY",
    ] {
      #expect(text.contains("\r\n\(line)\r\n"), "\(line) in \(text)")
    }
    // What is written back unchanged changes nothing.
    let before = try service.json("/v1/reminders/\(id)")
    let put = try service.put("/dav/lists/1/m-\(id).ics", text)
    #expect(put.status == 204 && put["ETag"] != nil)
    var after = try service.json("/v1/reminders/\(id)")
    after["updatedAt"] = before["updatedAt"]
    #expect(try CalDAVService.sorted(before) == CalDAVService.sorted(after), "\(before) \(after)")
  }

  @Test("A part of an object is refused: it would replace the whole")
  func range() throws {
    let text = CalDAVService.todo("part", "SUMMARY:Whole")
    let path = "/dav/lists/1/part.ics"
    #expect(try service.put(path, text).status == 201)
    let part = try service.put(path, text, [("Content-Range", "bytes 0-9/10")])
    #expect(part.status == 400)
  }
}
