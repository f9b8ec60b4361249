import Foundation
import MartletSQLite
import TestSupport
import Testing

@testable import MartletCalDAV

@Suite("Objects after a restore, and after writes of a shell") struct RestoreTests {
  private let service: CalDAVService
  private let list = "/dav/lists/1/"

  init() throws { service = try CalDAVService() }

  private func restore(_ title: String) throws {
    let entries = try service.send("GET", "/v1/trash").items
    let entry = try #require(entries.first { $0["title"] as? String == title })
    let answer = try service.send("POST", "/v1/trash/\(try #require(entry["id"] as? Int))/restore")
    #expect(answer.status < 300, "\(answer.text)")
  }

  private func id(_ title: String) throws -> Int {
    try #require(try service.reminders()[title]?["id"] as? Int)
  }

  private func shell(_ sql: String) throws {
    try service.database.write { try $0.execute(sql) }
  }

  @Test("A reminder whose UID is taken has the text of its new UID, and can be written")
  func takenUID() throws {
    try service.put("\(list)q.ics", CalDAVService.todo("q", "SUMMARY:First", "X-A:1"))
    try service.send("DELETE", "\(list)q.ics")
    try service.put("\(list)q.ics", CalDAVService.todo("q", "SUMMARY:Second"))
    try restore("First")
    let path = "\(list)m-\(try id("First")).ics"
    let text = try service.text(path)
    #expect(text.contains("SUMMARY:First") && text.contains("X-A:1"), "\(text)")
    #expect(!text.contains("\r\nUID:q\r\n"))
    #expect(try service.put(path, text).status == 204)
  }

  @Test("A subtask that is restored before its parent waits for it")
  func childFirst() throws {
    try service.put("\(list)p.ics", CalDAVService.todo("p", "SUMMARY:Parent"))
    let text = CalDAVService.todo("c", "SUMMARY:Child", "RELATED-TO:p")
    try service.put("\(list)c.ics", text)
    try service.send("DELETE", "\(list)c.ics")
    try service.send("DELETE", "\(list)p.ics")
    try restore("Child")
    #expect(try service.text("\(list)c.ics") == text)
    try restore("Parent")
    #expect(try service.reminders()["Child"]?["parentID"] as? Int == id("Parent"))
    #expect(try service.text("\(list)c.ics") == text)
    try service.patch("/v1/reminders/\(try id("Child"))", #"{"title":"Other"}"#)
    #expect(try service.text("\(list)c.ics").contains("RELATED-TO:p"))
  }

  @Test("OR IGNORE and a refused REPLACE leave all")
  func replace() throws {
    let text = CalDAVService.todo("r", "SUMMARY:Old")
    try service.put("\(list)r.ics", text)
    let token = try sync(nil).token
    let id = try id("Old")
    let values = "INTO reminders (id, title, remindersListID) VALUES (\(id), 'New', 1)"
    try shell("INSERT OR IGNORE \(values)")
    #expect(throws: SQLiteError.self) { try shell("REPLACE \(values)") }
    #expect(try service.text("\(list)r.ics") == text)
    #expect(try sync(token).hrefs == [])
  }

  private func sync(_ token: String?) throws -> Answer {
    try service.report(
      list,
      """
      <d:sync-collection><d:sync-token>\(token ?? "")</d:sync-token><d:sync-level>1</d:sync-level>\
      <d:prop><d:getetag/></d:prop></d:sync-collection>
      """)
  }

  @Test("A parent that a program sets ends the waiting for another one")
  func otherParent() throws {
    try service.put("\(list)c.ics", CalDAVService.todo("c", "SUMMARY:Child", "RELATED-TO:later"))
    try service.put("\(list)p.ics", CalDAVService.todo("p", "SUMMARY:Parent"))
    let child = "/v1/reminders/\(try id("Child"))"
    try service.patch(child, "{\"parentID\":\(try id("Parent"))}")
    try service.patch(child, #"{"parentID":null}"#)
    try service.put("\(list)l.ics", CalDAVService.todo("later", "SUMMARY:Later"))
    #expect(try service.reminders()["Child"]?["parentID"] is NSNull)
    #expect(try !service.text("\(list)c.ics").contains("RELATED-TO"))
  }

  @Test("A new UID of a parent is a change of the texts below it")
  func uidOfParent() throws {
    try service.put("\(list)p.ics", CalDAVService.todo("p", "SUMMARY:Parent"))
    try service.put("\(list)c.ics", CalDAVService.todo("c", "SUMMARY:Child", "RELATED-TO:p"))
    let tag = try service.send("GET", "\(list)c.ics")["ETag"]
    try shell("UPDATE reminders SET uid = 'other' WHERE uid = 'p'")
    let answer = try service.send("GET", "\(list)c.ics")
    #expect(answer["ETag"] != tag && answer.text.contains("RELATED-TO:other"), "\(answer.text)")
  }
}
