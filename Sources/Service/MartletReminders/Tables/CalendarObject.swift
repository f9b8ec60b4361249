import MartletQueryBuilder

/// The data of a reminder that only calendar programs have. A reminder that no calendar has written
/// has no row.
@Table("calendarObjects")
struct CalendarObject: Equatable, Sendable {
  @Column(primaryKey: true) let reminderID: Int
  /// The last part of its path, if a client has made it.
  var name: String?
  /// The UID of a parent that is not there yet, or that it cannot have.
  var parentUID: String?
  /// The text as a client has written it, until the reminder changes.
  var raw: String?
  /// The properties that have no column: content lines (RFC 5545), each unfolded and without its
  /// line end, joined by line feeds.
  var lines: String?
}

/// The data of a list that only calendar programs have.
@Table("calendarCollections")
struct CalendarCollection: Equatable, Sendable {
  @Column(primaryKey: true) let listID: Int
  /// The last part of its path, if a client has made it.
  var name: String?
  /// The properties that clients have set and that have no column, as XML.
  var properties: String?
  /// The highest version of a deletion in the list that the feed has forgotten.
  var horizon = 0
}
