import MartletICalendar
import MartletTime
import MartletXML

/// A span of time in a filter (RFC 4791 section 9.9).
enum TimeRange {
  /// The bounds of an element with `start` and `end`, at least one of them.
  static func bounds(of element: XMLElement) throws -> (from: Instant, to: Instant) {
    func bound(_ name: String) throws -> Instant? {
      guard let text = element.attribute(name) else { return nil }
      guard text.hasSuffix("Z"), let instant = CalendarTime.instant(text, in: .utc) else {
        throw invalid("\(name) must be a time in UTC, such as 20270131T093000Z.")
      }
      return instant
    }
    let (from, to) = (try bound("start"), try bound("end"))
    guard from != nil || to != nil else { throw invalid("A time range needs a start or an end.") }
    guard (from ?? .earliest) < (to ?? .latest) else {
      throw invalid("The end of a time range must be after its start.")
    }
    return (from ?? .earliest, to ?? .latest)
  }

  private static func invalid(_ detail: String) -> any Error {
    DAVError.refusal(.forbidden, DAVName.caldav("valid-filter"), detail)
  }
}
