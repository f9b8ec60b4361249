import Foundation
import TestSupport
import Testing

@testable import MartletCalDAV

@Suite("Parents that come and go") struct ParentTests {
  private let service: CalDAVService
  private let list = "/dav/lists/1/"

  init() throws { service = try CalDAVService() }

  private func tag() throws -> String? { try service.send("GET", "\(list)c.ics")["ETag"] }
  private func parent() throws -> Int? { try service.reminders()["Child"]?["parentID"] as? Int }

  @Test("Neither changes the text of a subtask, its entity tag or the token of a sync")
  func sameText() throws {
    let text = CalDAVService.todo("c", "SUMMARY:Child", "RELATED-TO;RELTYPE=PARENT:p")
    let first = try #require(try service.put("\(list)c.ics", text)["ETag"])
    let changed = try service.json("/v1/reminders/1")["updatedAt"] as? String
    try service.put("\(list)p.ics", CalDAVService.todo("p", "SUMMARY:Parent"))
    #expect(try parent() != nil && tag() == first)
    #expect(try service.text("\(list)c.ics") == text)
    #expect(try service.json("/v1/reminders/1")["updatedAt"] as? String == changed)
    // An edit by the client with the tag that it knows.
    let edited = text.replacingOccurrences(of: "END:VTODO", with: "PRIORITY:1\r\nEND:VTODO")
    let second = try #require(
      try service.put("\(list)c.ics", edited, [("If-Match", first)])["ETag"])
    #expect(try parent() != nil)
    try service.send("DELETE", "\(list)p.ics")
    #expect(try parent() == nil && tag() == second)
    #expect(try service.text("\(list)c.ics") == edited)
    try service.put("\(list)p.ics", CalDAVService.todo("p", "SUMMARY:Parent"))
    #expect(try parent() != nil && tag() == second)
    // The parent moves to another list, and comes back.
    try service.send("MKCALENDAR", "/dav/lists/other/")
    for (from, to) in [("1", "other"), ("other", "1")] {
      let moved = try service.send(
        "MOVE", "/dav/lists/\(from)/p.ics", [("Destination", "/dav/lists/\(to)/p.ics")])
      #expect(moved.status == 201, "\(moved.text)")
      #expect(try (parent() == nil) == (to == "other") && tag() == second)
    }
  }

  @Test("The same holds for a text that the server has made")
  func madeText() throws {
    try service.put("\(list)c.ics", CalDAVService.todo("c", "SUMMARY:Child", "RELATED-TO:p"))
    try service.patch("/v1/reminders/1", #"{"isFlagged":true}"#)
    let (text, first) = (try service.text("\(list)c.ics"), try tag())
    try service.put("\(list)p.ics", CalDAVService.todo("p", "SUMMARY:Parent"))
    #expect(try parent() != nil && tag() == first)
    #expect(try service.text("\(list)c.ics") == text)
    try service.send("DELETE", "\(list)p.ics")
    #expect(try parent() == nil && tag() == first)
    #expect(try service.text("\(list)c.ics") == text)
  }

  @Test("The first parent that is there counts, whatever is in front of it")
  func severalParents() throws {
    try service.put("\(list)p.ics", CalDAVService.todo("p", "SUMMARY:Parent"))
    let lines = [
      "RELATED-TO:c", "RELATED-TO:unknown", "RELATED-TO;RELTYPE=SIBLING:s", "RELATED-TO:p",
    ]
    let text = CalDAVService.todo("c", ["SUMMARY:Child"] + lines)
    let first = try service.put("\(list)c.ics", text)["ETag"]
    let id = try #require(try service.reminders()["Parent"]?["id"] as? Int)
    #expect(try parent() == id)
    #expect(try service.text("\(list)c.ics") == text && first != nil)
    try service.put("\(list)c.ics", text + " ")
    #expect(try parent() == id)
    // The lines stay as long as one of them is true.
    let child = try #require(try service.reminders()["Child"]?["id"] as? Int)
    try service.patch("/v1/reminders/\(child)", #"{"isFlagged":true}"#)
    #expect(try service.text("\(list)c.ics").contains("RELATED-TO:unknown\r\n"))
    try service.patch("/v1/reminders/\(child)", #"{"parentID":null}"#)
    #expect(try !service.text("\(list)c.ics").contains("RELATED-TO:p\r\n"))
  }

  @Test("A parent names its subtask, which comes later or earlier", arguments: [true, false])
  func children(_ isLater: Bool) throws {
    let child = CalDAVService.todo("c", "SUMMARY:Child")
    let text = CalDAVService.todo("p", "SUMMARY:Parent", "RELATED-TO;reltype=child:c")
    if !isLater { try service.put("\(list)c.ics", child) }
    try service.put("\(list)p.ics", text)
    if isLater { try service.put("\(list)c.ics", child) }
    #expect(try parent() != nil && parent() == service.reminders()["Parent"]?["id"] as? Int)
    #expect(try service.text("\(list)p.ics") == text)
    // From then on the subtask says it, so that every client can change it.
    #expect(try service.text("\(list)c.ics").contains("RELATED-TO:p\r\n"))
    try service.put("\(list)c.ics", child)
    #expect(try parent() == nil)
    try service.put("\(list)p.ics", text.replacingOccurrences(of: "Parent", with: "Other"))
    #expect(try parent() == nil, "the line is not new")
  }

  @Test("A subtask that names another parent stays there, and no tree becomes a ring")
  func otherChildren() throws {
    try service.put("\(list)c.ics", CalDAVService.todo("c", "SUMMARY:Child", "RELATED-TO:q"))
    try service.put(
      "\(list)p.ics",
      CalDAVService.todo(
        "p", "SUMMARY:Parent", "RELATED-TO;RELTYPE=CHILD:c", "RELATED-TO;RELTYPE=CHILD:p"))
    #expect(try parent() == nil)
    try service.put("\(list)q.ics", CalDAVService.todo("q", "SUMMARY:Other"))
    #expect(try parent() == service.reminders()["Other"]?["id"] as? Int)
    try service.put(
      "\(list)c.ics",
      CalDAVService.todo("c", "SUMMARY:Child", "RELATED-TO:q", "RELATED-TO;RELTYPE=CHILD:q"))
    #expect(try service.reminders()["Other"]?["parentID"] is NSNull)
  }

  @Test("Another parent, or none, does change the text")
  func otherParent() throws {
    try service.put("\(list)p.ics", CalDAVService.todo("p", "SUMMARY:Parent"))
    try service.put("\(list)q.ics", CalDAVService.todo("q", "SUMMARY:Other"))
    try service.put("\(list)c.ics", CalDAVService.todo("c", "SUMMARY:Child", "RELATED-TO:p"))
    let reminders = try service.reminders()
    let id = try #require(reminders["Child"]?["id"] as? Int)
    let other = try #require(reminders["Other"]?["id"] as? Int)
    var last = try tag()
    for (parent, line) in [("\(other)", "RELATED-TO:q"), ("null", nil)] {
      #expect(try service.patch("/v1/reminders/\(id)", "{\"parentID\":\(parent)}").status == 200)
      #expect(try tag() != last)
      last = try tag()
      let text = try service.text("\(list)c.ics")
      #expect(line.map { text.contains("\($0)\r\n") } ?? !text.contains("RELATED-TO"), "\(text)")
    }
  }

  @Test("A subtask that comes to the list of its parent is joined, by MOVE and by the JSON API")
  func moves() throws {
    try service.send("MKCALENDAR", "/dav/lists/other/")
    try service.put("\(list)p.ics", CalDAVService.todo("p", "SUMMARY:Parent"))
    try service.put(
      "/dav/lists/other/c.ics", CalDAVService.todo("c", "SUMMARY:Child", "RELATED-TO:p"))
    let id = try #require(try service.reminders()["Child"]?["id"] as? Int)
    let other = try #require(try service.reminders()["Child"]?["listID"] as? Int)
    func move(_ from: String, _ to: String) throws {
      let answer = try service.send(
        "MOVE", "/dav/lists/\(from)/c.ics", [("Destination", "/dav/lists/\(to)/c.ics")])
      #expect(answer.status == 201, "\(answer.text)")
    }
    #expect(try parent() == nil)
    try move("other", "1")
    #expect(try parent() != nil)
    try move("1", "other")
    #expect(try parent() == nil)
    #expect(try service.text("/dav/lists/other/c.ics").contains("RELATED-TO:p\r\n"))
    #expect(try service.patch("/v1/reminders/\(id)", #"{"listID":1}"#).status == 200)
    #expect(try parent() != nil && other != 1)
  }

  @Test("A parent comes above a tree that is too high for it: it is stored, and the tree waits")
  func tooHigh() throws {
    for (name, parent) in ["e": "d", "d": "c", "c": "b", "b": "a", "a": "p"] {
      try service.put(
        "\(list)\(name).ics", CalDAVService.todo(name, "SUMMARY:\(name)", "RELATED-TO:\(parent)"))
    }
    let stored = try service.put("\(list)p.ics", CalDAVService.todo("p", "SUMMARY:p"))
    #expect(stored.status == 201, "\(stored.text)")
    #expect(try service.reminders()["a"]?["parentID"] is NSNull)
    #expect(try service.text("\(list)a.ics").contains("RELATED-TO:p\r\n"))
    // A tree that gets lower has a place there.
    let id = try #require(try service.reminders()["e"]?["id"] as? Int)
    #expect(try service.patch("/v1/reminders/\(id)", #"{"parentID":null}"#).status == 200)
    let after = try service.reminders()
    #expect(after["a"]?["parentID"] as? Int == after["p"]?["id"] as? Int)
  }

  @Test("What is too deep is joined when something above its parent moves up")
  func tooDeep() throws {
    let chain = ["a", "b", "c", "d", "e", "f"]
    for (index, name) in chain.enumerated() {
      let parent = index == 0 ? "COMMENT:The top" : "RELATED-TO:\(chain[index - 1])"
      let answer = try service.put(
        "\(list)\(name).ics", CalDAVService.todo(name, "SUMMARY:\(name)", parent))
      #expect(answer.status == 201, "\(answer.text)")
    }
    let before = try service.reminders()
    #expect(before["f"]?["parentID"] is NSNull && before["e"]?["parentID"] is Int)
    let id = try #require(before["c"]?["id"] as? Int)
    #expect(try service.patch("/v1/reminders/\(id)", #"{"parentID":null}"#).status == 200)
    #expect(try service.reminders()["f"]?["parentID"] as? Int == before["e"]?["id"] as? Int)
  }

  @Test(
    "Random trees: a PUT never fails, and nothing waits that could be joined",
    arguments: (0..<Effort.rounds(4)).map { _ in UInt64.random(in: 0 ... .max) })
  func random(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    try service.send("MKCALENDAR", "/dav/lists/other/")
    let names = ["a", "b", "c", "d", "e", "f", "g", "h"]
    for step in 0..<60 {
      let now = try service.reminders()
      func id(_ name: String) -> Int { now[name]?["id"] as? Int ?? 0 }
      func list(_ name: String) -> Int { now[name]?["listID"] as? Int ?? 1 }
      let name = try #require(names.randomElement(using: &random))
      let other = try #require(names.randomElement(using: &random))
      // Changes by JSON may be refused.
      switch Int.random(in: 0..<8, using: &random) {
      case 0: try service.patch("/v1/reminders/\(id(name))", "{\"parentID\":\(id(other))}")
      case 1: try service.patch("/v1/reminders/\(id(name))", #"{"parentID":null}"#)
      case 2: try service.patch("/v1/reminders/\(id(name))", "{\"listID\":\(list(other))}")
      case 3 where now[name] == nil:
        try service.put("/dav/lists/other/\(name).ics", CalDAVService.todo(name, "SUMMARY:\(name)"))
      default:
        let path = "/dav/lists/\(list(name) == 1 ? "1" : "other")/\(name).ics"
        let text = CalDAVService.todo(name, "SUMMARY:\(name)", "RELATED-TO:\(other)")
        let answer = try service.put(path, text)
        #expect([201, 204].contains(answer.status), "\(seed), \(step): \(answer.text)")
        #expect(try service.text(path) == text)
      }
      try checkThatNoneWaits("\(seed), \(step)")
    }
  }

  /// Nothing without a parent names one that it could be below.
  private func checkThatNoneWaits(_ context: String) throws {
    let all = try service.reminders()
    let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.value["id"] as? Int ?? 0, $0.key) })
    func parent(_ name: String) -> String? { (all[name]?["parentID"] as? Int).flatMap { byID[$0] } }
    func path(_ name: String) -> [String] { [name] + (parent(name).map(path) ?? []) }
    func height(_ name: String) -> Int {
      all.keys.filter { parent($0) == name }.map { height($0) + 1 }.max() ?? 0
    }
    for name in all.keys where parent(name) == nil {
      let folder = all[name]?["listID"] as? Int == 1 ? "1" : "other"
      let text = try service.text("/dav/lists/\(folder)/\(name).ics")
      guard let awaited = text.firstMatch(of: #/RELATED-TO:(\w)/#).map({ String($0.1) }),
        awaited != name, let listID = all[awaited]?["listID"] as? Int,
        listID == all[name]?["listID"] as? Int
      else { continue }
      let above = path(awaited)
      #expect(
        above.contains(name) || above.count + 1 + height(name) > 5,
        "\(context): \(name) waits for \(awaited)")
    }
  }

  @Test("A cycle that ends leaves nobody waiting")
  func cycle() throws {
    try service.put("\(list)a.ics", CalDAVService.todo("a", "SUMMARY:A", "RELATED-TO:b"))
    try service.put("\(list)b.ics", CalDAVService.todo("b", "SUMMARY:B", "RELATED-TO:a"))
    let ids = try service.reminders().mapValues { $0["id"] as? Int }
    // One of them waits.
    let waiting = try service.reminders().filter { $0.value["parentID"] is NSNull }.map(\.key)
    try #require(waiting.count == 1)
    let joined = waiting == ["A"] ? "B" : "A"
    let name = joined.lowercased()
    try service.put("\(list)\(name).ics", CalDAVService.todo(name, "SUMMARY:\(joined)"))
    let after = try service.reminders()
    #expect(after[joined]?["parentID"] is NSNull)
    #expect(after[waiting[0]]?["parentID"] as? Int == ids[joined] ?? nil)
  }
}
