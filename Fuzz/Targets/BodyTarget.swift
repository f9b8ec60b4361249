import MartletJSON
import MartletLiveAPI
import MartletReminders
import MartletSQLite

@testable import MartletHTTP
@testable import MartletRemindersAPI

extension FuzzTarget {
  /// Bodies of POST, PATCH and PUT. A body that is accepted can be stored.
  static let body = FuzzTarget(name: "body") {
    let connection = try ServiceDatabase.open()
    let peer = Peer(high: 0, low: 1, port: 1)
    return { bytes in
      let request = try Request(
        .patch, target: "/v1/reminders/1", body: SharedBytes(bytes), peer: peer)
      _ = try? TagBody(request, isNew: true)
      if let tag = (try? TagBody(request, isNew: false))?.title {
        try trying(connection) { try ReminderRepository.tag(3, with: tag, in: connection) }
      }
      if let list = try? ListBody(changing: request) {
        try trying(connection) { try ListRepository.update(1, list.values, in: connection) }
      }
      if let order = try? OrderBody(request) {
        try trying(connection) {
          try ReminderRepository.order(order.ids, ofList: 1, in: connection)
        }
      }
      if let reminder = try? ReminderBody(creating: request, in: 1) {
        try trying(connection) {
          _ = try ReminderRepository.create(reminder.values, in: connection)
        }
      }
      if let reminder = try? ReminderBody(changing: request) {
        try trying(connection) { try change(1, reminder.values, connection) }
      }
    }
  }

  /// Runs `body` and rolls it back. It may only fail because of a rule of the domain.
  private static func trying(_ connection: MartletSQLite.Connection, _ body: () throws -> Void)
    throws
  {
    let savepoint = try connection.beginSavepoint("fuzz")
    defer { try? connection.rollBack(to: savepoint) }
    do {
      try body()
    } catch is DomainError {
    } catch let error as SQLiteError where RuleViolation(rawValue: error.message) != nil {
    }
  }

  /// Checks that a change stores what it says, and that repeating it changes nothing.
  private static func change(
    _ id: Int, _ changes: ReminderRepository.Values, _ connection: MartletSQLite.Connection
  ) throws {
    try ReminderRepository.update(id, changes, at: .epoch, in: connection)
    let stored = try connection.query("SELECT * FROM reminders WHERE id = \(id)")
    for (name, text) in [("title", changes.title), ("notes", changes.notes)] {
      guard let text else { continue }
      try expect(
        stored.first?[name]?.text?.utf8.elementsEqual(text.utf8) == true,
        "\(name) is \(String(describing: stored.first?[name]))")
    }
    try ReminderRepository.update(id, changes, at: .epoch, in: connection)
    let again = try connection.query("SELECT * FROM reminders WHERE id = \(id)")
    try expect(again == stored, "\(stored) became \(again)")
  }
}
