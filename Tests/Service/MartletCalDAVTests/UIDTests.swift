import Foundation
import TestSupport
import Testing

@testable import MartletCalDAV

@Suite("UIDs that cannot be those of a reminder") struct UIDTests {
  @Test("They conflict as others do, name parents, and come back")
  func long() throws {
    let service = try CalDAVService()
    let list = "/dav/lists/1/"
    let uid = String(repeating: "u", count: 300)
    let text = CalDAVService.todo(uid, "SUMMARY:Parent")
    #expect(try service.put("\(list)a.ics", text)["ETag"] != nil)
    let second = try service.put("\(list)b.ics", text)
    #expect(second.status == 403 && second.text.contains("C:no-uid-conflict"), "\(second.text)")
    #expect(second.text.contains("\(list)a.ics"))
    let other = CalDAVService.todo(uid + "v", "SUMMARY:Other")
    #expect(try service.put("\(list)a.ics", other).text.contains("C:no-uid-conflict"))
    #expect(try service.put("\(list)a.ics", text).status == 204)
    let child = CalDAVService.todo("c", "SUMMARY:Child", "RELATED-TO:\(uid)")
    #expect(try service.put("\(list)c.ics", child).status == 201)
    let reminders = try service.reminders()
    let id = try #require(reminders["Parent"]?["id"] as? Int)
    #expect(reminders["Child"]?["parentID"] as? Int == id)
    for title in ["Parent", "Child"] {
      let id = try #require(reminders[title]?["id"] as? Int)
      try service.patch("/v1/reminders/\(id)", #"{"isFlagged":true}"#)
    }
    func unfolded(_ path: String) throws -> String {
      try service.text(path).replacingOccurrences(of: "\r\n ", with: "")
    }
    #expect(try unfolded("\(list)a.ics").contains("\r\nUID:\(uid)\r\n"))
    #expect(try unfolded("\(list)c.ics").contains("\r\nRELATED-TO:\(uid)\r\n"))
  }
}
