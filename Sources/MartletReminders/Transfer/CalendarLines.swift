import MartletQueryBuilder

/// The properties of a reminder in a calendar file that have no column: its content lines (RFC
/// 5545), each unfolded and without its line end, joined by line feeds.
@Table("calendarLines")
struct CalendarLines: Equatable, Sendable {
  @Column(primaryKey: true) let reminderID: Int
  let lines: String
}
