import MartletICalendar
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// A recurrence rule of a calendar program that was not understood. Only its text is stored, so the
/// next occurrence is not known here.
///
/// A calendar program may complete such a reminder: it knows the rule.
public enum UnreadRule {
  /// Throws ``DomainError/ruleNotRead(_:)`` if the values would complete such a reminder, or one
  /// that it is a subtask of: that would end the series in the program that wrote it. Reminders
  /// outside `lists` are ignored.
  public static func check(
    _ values: ReminderRepository.Values, of id: Int, among lists: ListExtent, in zone: ZoneInfo,
    _ db: Connection
  ) throws {
    guard values.status == .completed || values.status == .completing,
      let reminder = try Reminder.find(id).fetchOne(db),
      lists.contains(reminder.remindersListID), reminder.status != .completed
    else { return }
    let isReplaced = (values.recurrence ?? nil) != nil
    if !isReplaced, reminder.recurrenceRule == nil, try isOf(id, in: zone, db) {
      throw DomainError.ruleNotRead(id)
    }
    // A series that moves on opens its subtasks again.
    guard reminder.recurrenceRule == nil, !isReplaced else { return }
    for subtask in try Subtasks.unevaluated(below: id, db) where try isOf(subtask, in: zone, db) {
      throw DomainError.ruleNotRead(subtask)
    }
  }

  private static func isOf(_ id: Int, in zone: ZoneInfo, _ db: Connection) throws -> Bool {
    guard let text = try CalendarObject.find(id).select(\.lines).fetchOne(db) ?? nil,
      text.uppercased().contains("RRULE")
    else { return false }
    let kept = KeptLines(text)
    let groups = TodoGroups(kept)
    let lines = groups.lines(.dates)
    // Of a canceled series there is no next occurrence.
    guard lines.contains(where: { $0.name == "RRULE" }),
      !TodoGroups.isCancelled(groups.lines(.status))
    else { return false }
    var zones = CalendarZones(of: kept, house: zone)
    // A rule that was understood and that the reminder does not have any more was removed here.
    return (try? TodoDates(lines, &zones, house: zone))?.rule == nil
  }
}
