import TestSupport
import Testing

@testable import MartletReminders

@Suite("The columns of reminders") struct ReminderColumnTests {
  /// The columns that no client sets as a field of a reminder, or that have rules of their own.
  private static let others: Set = [
    "id", "remindersListID", "parentID", "position", "uid", "createdAt", "updatedAt", "completedAt",
    "version", "calendarVersion", "allSubtasks", "openSubtasks", "alarmCount",
  ]

  @Test("Each column is declared, so that none is missing from the feed, the trash or a text")
  func all() throws {
    let db = try RemindersFile().connect(as: .shell)
    let names = try db.texts("SELECT name FROM pragma_table_info('reminders')").compactMap { $0 }
    #expect(
      Set(names) == Set(ReminderColumn.all.map(\.name)).union(Self.others),
      "declare a new column in ReminderColumn.all")
    #expect(Set(ReminderColumn.all.map(\.name)).isDisjoint(with: Self.others))
  }
}
