import Foundation
import TestSupport
import Testing

@testable import MartletCalDAV

/// DAVx⁵ with jtx Board or OpenTasks.
@Suite("DAVx⁵") struct DAVx5Tests {
  private let service: CalDAVService
  private let list = "/dav/lists/1/"

  init() throws { service = try CalDAVService() }

  private func tag(_ path: String) throws -> String? { try service.send("GET", path)["ETag"] }

  @Test("DAVx⁵: it would loop on an ETag that changes without a change of the text")
  func loops() throws {
    let path = "\(list)p.ics"
    let text = CalDAVService.todo(
      "p", "SUMMARY:Parent", "DUE:20261120T120100Z", "BEGIN:VALARM", "ACTION:DISPLAY",
      "TRIGGER:PT0S", "END:VALARM")
    let put = try service.put(path, text, [("If-None-Match", "*")])
    let first = try #require(put["ETag"])
    #expect(try tag(path) == first)
    // A subtask changes the counts of its parent.
    try service.put("\(list)c.ics", CalDAVService.todo("c", "SUMMARY:Child", "RELATED-TO:p"))
    #expect(try tag(path) == first)
    // A new order, of reminders and lists.
    let id = try #require(try service.reminders()["Parent"]?["id"] as? Int)
    try service.send(
      "PUT", "/v1/reminders/\(id)/position", [("Content-Type", "application/json")],
      #"{"last":true}"#)
    #expect(try tag(path) == first)
    // A text that is put again, and a PATCH that changes nothing.
    #expect(try service.put(path, text, [("If-Match", first)])["ETag"] == first)
    try service.patch("/v1/reminders/\(id)", #"{"title":"Parent"}"#)
    #expect(try tag(path) == first)
    #expect(try service.text(path) == text)
    // A change of the text does change it.
    try service.patch("/v1/reminders/\(id)", #"{"title":"Other"}"#)
    #expect(try tag(path) != first)
  }

  @Test("DAVx⁵: a PUT with If-Match, and a text that is read again where the answer has no ETag")
  func writes() throws {
    let path = "\(list)r.ics"
    let text = CalDAVService.todo(
      "r", "DTSTART;VALUE=DATE:20261123", "DUE;VALUE=DATE:20261123", "RRULE:FREQ=DAILY")
    let first = try #require(try service.put(path, text, [("If-None-Match", "*")])["ETag"])
    let done = text.replacingOccurrences(
      of: "END:VTODO", with: "STATUS:COMPLETED\r\nPERCENT-COMPLETE:100\r\nEND:VTODO")
    let moved = try service.put(path, done, [("If-Match", first)])
    #expect(moved.status == 204 && moved["ETag"] == nil)
    #expect(try service.put(path, text, [("If-Match", first)]).status == 412)
    let read = try service.send("GET", path)
    #expect(read.text.contains("DUE;VALUE=DATE:20261124") && read["ETag"] != first)
    let tag = try #require(read["ETag"])
    #expect(try service.put(path, read.text, [("If-Match", tag)])["ETag"] != nil)
  }
}
