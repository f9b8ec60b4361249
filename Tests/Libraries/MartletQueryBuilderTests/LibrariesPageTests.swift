import Foundation
import MartletQueryBuilder
import TestSupport
import Testing

/// The tables of Swift and SQL in docs/libraries.md.
@Suite struct LibrariesPageTests {
  @Table struct Reminder {
    let id: Int
    var title = ""
    var isFlagged = false
    var dueDate: Date?
  }
  @Table struct ReminderText: FTS5 {
    let rowid: Int
    let title: String
  }
  @Table struct User {
    let id: Int
    var name: String
    var active = true
    static let active = Self.where { $0.active }
  }
  @Table struct Post {
    let id: Int
    var userID: Int
    var title: String
    var publishedAt: Date?
    static let published = Self.where { $0.publishedAt != nil }
  }

  /// The page may print `…` instead of a list of columns.
  private func expectRow(
    _ swift: String, _ statement: some Statement, _ elide: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var sql = statement.query.fragment.prepare().sql
    for text in elide {
      #expect(sql.contains(text), "\(sql)", sourceLocation: sourceLocation)
      sql = sql.replacing(text, with: "…")
    }
    let row = "| `\(swift)` | `\(sql.replacing("|", with: "\\|"))` |"
    #expect(
      try Repository.text("docs/libraries.md").contains(row), "\(row)",
      sourceLocation: sourceLocation)
  }

  @Test func reminders() throws {
    let all =
      #""reminders"."id", "reminders"."title", "reminders"."isFlagged", "reminders"."dueDate""#
    try expectRow(
      #"Reminder.where(\.isFlagged).order(by: \.title).limit(10)"#,
      Reminder.where(\.isFlagged).order(by: \.title).limit(10), [all])
    try expectRow(
      #"Reminder.find(1).update { $0.title += "!" }"#, Reminder.find(1).update { $0.title += "!" })
    try expectRow(
      #"Reminder.insert { Reminder.Draft(title: "Get milk") }.returning(\.id)"#,
      Reminder.insert { Reminder.Draft(title: "Get milk") }.returning(\.id))
    try expectRow(
      #"ReminderText.where { $0.match("milk*") }.select { $0.title.highlight("**", "**") }"#,
      ReminderText.where { $0.match("milk*") }.select { $0.title.highlight("**", "**") })
  }

  @Test func blog() throws {
    let now = Date()
    let posts = #""posts"."id", "posts"."userID", "posts"."title", "posts"."publishedAt""#
    try expectRow("User.active.count()", User.active.count())
    try expectRow(
      "Post.published.where { $0.userID == 7 }", Post.published.where { $0.userID == 7 }, [posts])
    try expectRow(
      "Post.published.join(User.active) { $0.userID == $1.id }.select { ($0.title, $1.name) }",
      Post.published.join(User.active) { $0.userID == $1.id }.select { ($0.title, $1.name) })
    try expectRow(
      "Post.where { $0.userID == 7 && $0.publishedAt.is(nil) }.update { $0.publishedAt = now }",
      Post.where { $0.userID == 7 && $0.publishedAt.is(nil) }.update { $0.publishedAt = now })
  }
}
