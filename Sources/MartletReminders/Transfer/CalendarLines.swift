import MartletQueryBuilder

/// What a calendar file said of a reminder that has no column: its lines (RFC 5545), each unfolded and without its end,
/// with line feeds between them.
@Table("calendarLines")
struct CalendarLines: Equatable, Sendable {
  @Column(primaryKey: true) let reminderID: Int
  let lines: String
}
