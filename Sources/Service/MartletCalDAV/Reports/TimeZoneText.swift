import MartletHTTP
import MartletICalendar
import MartletTime
import MartletXML

/// A time zone as a calendar with one VTIMEZONE (RFC 4791 sections 5.2.2 and 9.8).
enum TimeZoneText {
  /// Throws a 403 if a text is not a time zone.
  static func check(_ text: String) throws {
    guard definition(in: text) != nil else {
      throw DAVError.refusal(
        .forbidden, DAVName.caldav("valid-calendar-data"),
        "A time zone is a calendar with one VTIMEZONE.")
    }
  }

  /// The zone of a query for times that name none; `nil` also for one that the system does not
  /// have. Throws a 403 for a text that is not a time zone.
  static func zone(of query: XMLElement) throws -> ZoneInfo? {
    guard let text = query.first(DAVName.caldav("timezone"))?.text else { return nil }
    try check(text)
    guard let definition = definition(in: text) else { return nil }
    var zones = CalendarZones()
    try? zones.define(definition.text.split(whereSeparator: \.isNewline).map(String.init))
    let name = definition.properties.first { $0.name == "TZID" }?.value
    return name.flatMap { try? zones.zone($0).system }
  }

  private static func definition(in text: String) -> CalendarComponent? {
    guard let calendar = CalendarComponent(parsing: text), calendar.name == "VCALENDAR",
      calendar.components.count == 1, calendar.components[0].name == "VTIMEZONE"
    else { return nil }
    return calendar.components[0]
  }
}
