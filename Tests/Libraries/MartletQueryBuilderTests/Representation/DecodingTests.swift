import Foundation
import MartletQueryBuilder
import Testing

@Suite struct DecodingTests {
  @Test func tables() throws {
    let code = UUID()
    let item = try FakeRow.read(
      Item.all, .text(code.uuidString.lowercased()), .int(5), .null, .text(#"["a","b"]"#),
      .double(2), .null, .text("x"), .blob([1, 2]))
    #expect(
      item
        == Item(
          code: code, made: Date(timeIntervalSince1970: 5), sold: nil, tags: ["a", "b"],
          size: Size(width: 2, height: nil), search: "x", bytes: [1, 2]))
  }

  @Test func emptySideOfAnOuterJoin() throws {
    let query = Tag.leftJoin(RemindersList.all) { $0.title == $1.title }
    let (tag, none) = try FakeRow.read(query, .text("a"), .null, .null, .null, .null)
    #expect(tag == Tag(title: "a") && none == nil)
    let (_, list) = try FakeRow.read(query, .text("a"), .int(1), .int(2), .int(0), .text("b"))
    #expect(list == RemindersList(id: 1, color: 2, position: 0, title: "b"))
  }

  @Test func selections() throws {
    let query = RemindersList.select { Overview.Columns(list: $0, count: $0.position + 1) }
    let row = try FakeRow.read(query, .int(1), .int(2), .int(0), .text("b"), .int(7))
    #expect(
      row == Overview(list: RemindersList(id: 1, color: 2, position: 0, title: "b"), count: 7))
  }

  @Test func enumsAndTuples() throws {
    let query = Reminder.select { ($0.status, $0.priority) }
    let (status, priority) = try FakeRow.read(query, .int(2), .null)
    #expect(status == .completing && priority == nil)
  }

  @Test("Text and bytes are not read as 0")
  func otherClasses() {
    #expect(throws: DecodingProblem(column: 0, expected: "Int", found: .text)) {
      try FakeRow.read(Tag.count, .text("abc"))
    }
    #expect(throws: DecodingProblem(column: 0, expected: "Int", found: .blob)) {
      try FakeRow.read(Tag.count, .blob([1]))
    }
  }

  @Test func problemsNameTheColumn() {
    #expect(throws: DecodingProblem(column: 1, expected: "Status", found: .integer)) {
      try FakeRow.read(Reminder.select { ($0.id, $0.status) }, .int(1), .int(9))
    }
    #expect(throws: DecodingProblem(column: 0, expected: "String", found: .null)) {
      try FakeRow.read(Tag.all, .null)
    }
    #expect(throws: DecodingProblem(column: 0, expected: "Int", found: .null)) {
      try FakeRow.read(Tag.count, .null)
    }
  }
}
