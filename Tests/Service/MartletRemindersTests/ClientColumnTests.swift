import MartletQueryBuilder
import TestSupport
import Testing

@testable import MartletReminders

@Suite("The columns that clients set") struct ClientColumnTests {
  /// A table, what it declares, and the columns that no client sets as a field, or that have rules
  /// of their own.
  private struct Declared {
    let table: any Table.Type
    let columns: [ClientColumn]
    let others: Set<String>
  }

  private static let tables = [
    Declared(
      table: Reminder.self, columns: Reminder.clientColumns,
      others: [
        "id", "remindersListID", "parentID", "position", "uid", "createdAt", "updatedAt",
        "completedAt", "version", "calendarVersion", "allSubtasks", "openSubtasks", "alarmCount",
      ]),
    Declared(
      table: RemindersList.self, columns: RemindersList.clientColumns,
      others: ["id", "position", "uid", "createdAt", "updatedAt", "version"]),
    Declared(
      table: SmartList.self, columns: SmartList.clientColumns,
      others: ["id", "position", "uid", "createdAt", "updatedAt", "version"]),
    Declared(
      table: ReminderAlarm.self,
      columns: ReminderAlarm.clientColumns + ReminderAlarm.answerColumns,
      others: ["id", "reminderID", "state", "fireAt", "isStale", "rung", "firedAt", "armedFor"]),
  ]

  @Test("Each column is declared, so that none is missing from the feed, the trash or a text")
  func all() throws {
    let db = try RemindersFile().connect(as: .shell)
    for declared in Self.tables {
      let table = declared.table.tableName
      let names = try db.texts("SELECT name FROM pragma_table_info('\(table)')").compactMap { $0 }
      let columns = Set(declared.columns.map(\.name))
      #expect(
        Set(names) == columns.union(declared.others),
        "declare a new column of \(table) in clientColumns")
      #expect(columns.isDisjoint(with: declared.others))
    }
    let alarms = try db.texts("SELECT name FROM pragma_table_info('alarms')").compactMap { $0 }
    #expect(
      Set(alarms) == Set(ReminderAlarm.keptColumns).union(["reminderID", "isStale"]),
      "declare a new column of alarms in keptColumns")
  }
}
