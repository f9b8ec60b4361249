import MartletHTTP
import MartletICalendar
import MartletReminders
import MartletTime
import MartletXML

/// A time zone as a calendar with one VTIMEZONE (RFC 4791 sections 5.2.2 and 9.8).
enum TimeZoneText {
  /// The calendar of a text. Throws a 403 if it is not a time zone.
  @discardableResult
  static func check(_ text: String) throws -> CalendarComponent {
    guard let calendar = CalendarComponent(parsing: text), calendar.name == "VCALENDAR",
      calendar.components.map(\.name) == ["VTIMEZONE"]
    else {
      throw DAVError.refusal(
        .forbidden, DAVName.caldav("valid-calendar-data"),
        "A time zone is a calendar with one VTIMEZONE.")
    }
    return calendar
  }

  /// The zone of a query for times that name none; `nil` also for one that the system does not
  /// have. Throws a 403 for a text that is not a time zone.
  static func zone(of query: XMLElement) throws -> ZoneInfo? {
    guard let text = query.first(DAVName.caldav("timezone"))?.text else { return nil }
    return zone(try check(text))
  }

  /// The same of a list, which a client has set.
  static func zone(of list: CalendarRepository.Collection) throws -> ZoneInfo? {
    let property = try DeadProperties(list.properties)[DAVName.caldav("calendar-timezone")]
    return property.flatMap { try? check($0.text) }.flatMap { zone($0) }
  }

  private static func zone(_ calendar: CalendarComponent) -> ZoneInfo? {
    var zones = CalendarZones(of: calendar, house: .utc)
    let name = calendar.components[0].properties.first { $0.name == "TZID" }?.value
    return name.flatMap { try? zones.zone($0).system }
  }
}
