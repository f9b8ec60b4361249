import MartletICalendar
import MartletReminders
import MartletTime
import MartletXML
import Synchronization

/// The parts of a calendar object that a report wants (RFC 4791 section 9.6).
struct CalendarData {
  /// A component of which some properties and components are wanted.
  private struct Selection {
    var properties: Set<String>?
    /// The properties whose name alone is wanted.
    var bare: Set<String> = []
    var components: [String: Selection]?

    init(_ element: XMLElement) {
      if element.first(DAVName.caldav("allprop")) == nil {
        let wanted = element.all(DAVName.caldav("prop"))
        properties = Set(wanted.compactMap { $0.attribute("name")?.uppercased() })
        bare = Set(
          wanted.filter { $0.attribute("novalue") == "yes" }
            .compactMap { $0.attribute("name")?.uppercased() })
      }
      if element.first(DAVName.caldav("allcomp")) == nil {
        components = [:]
        for inner in element.all(DAVName.caldav("comp")) {
          if let name = inner.attribute("name")?.uppercased() {
            components?[name] = Selection(inner)
          }
        }
      }
    }

    func apply(to component: CalendarComponent) -> CalendarComponent {
      var selected = CalendarComponent(component.name)
      selected.properties = component.properties.filter {
        properties?.contains($0.name) ?? true
      }.map { bare.contains($0.name) ? $0.withoutValue : $0 }
      selected.components = component.components.compactMap { inner in
        guard let components else { return inner }
        return components[inner.name]?.apply(to: inner)
      }
      return selected
    }
  }

  /// The largest size of the occurrences of one object.
  private static let mostBytes = 4 << 20

  /// The room for the occurrences of all objects of an answer.
  private final class Room: Sendable {
    let most: Int
    private let left: Atomic<Int>

    init(_ most: Int) {
      self.most = most
      left = Atomic(most)
    }

    func take(_ bytes: Int) -> Bool { left.subtract(bytes, ordering: .relaxed).newValue >= 0 }
  }

  private var room: Room

  /// The same for another answer.
  func anew() -> CalendarData {
    var copy = self
    copy.room = Room(room.most)
    return copy
  }

  private var selection: Selection?
  private var span: TimeRange?
  var zone: ZoneInfo

  /// Reads the element. Throws a 403 if the form of the text is not supported.
  ///
  /// - Parameter room: The largest size of the occurrences of all objects of an answer, in bytes.
  init(_ element: XMLElement, zone: ZoneInfo, room: Int = 64 << 20) throws {
    self.zone = zone
    self.room = Room(room)
    let type = element.attribute("content-type")?.lowercased() ?? "text/calendar"
    guard type == "text/calendar", (element.attribute("version") ?? "2.0") == "2.0" else {
      throw DAVError.refusal(
        .forbidden, DAVName.caldav("supported-calendar-data"),
        "Objects are available as text/calendar 2.0.")
    }
    selection = element.first(DAVName.caldav("comp")).map { Selection($0) }
    if let expand = element.first(DAVName.caldav("expand")) {
      span = try TimeRange(expand)
    }
  }

  /// Whether occurrences are wanted instead of series.
  var isExpanded: Bool { span != nil }

  /// Whether a text has something that is wanted: a series can have no occurrence in the span.
  func hasPart(of text: String) -> Bool {
    guard let span, let calendar = CalendarComponent(parsing: text),
      let (_, times) = series(in: calendar)
    else { return true }
    return !times.occurrences(overlapping: span.from, span.to).isEmpty
  }

  /// The part of a text that is wanted; `nil` for a series without an occurrence in the span,
  /// because a calendar has components (RFC 5545 section 3.6).
  func apply(to text: String) throws -> String? {
    guard selection != nil || span != nil else { return text }
    guard var calendar = CalendarComponent(parsing: text) else { return text }
    if let span, try !expand(&calendar, span, text.utf8.count) { return nil }
    if let selection { calendar = selection.apply(to: calendar) }
    return calendar.text
  }

  private func series(
    in calendar: CalendarComponent
  ) -> (todo: CalendarComponent, times: TodoTimes)? {
    var zones = CalendarZones(of: calendar, house: zone)
    guard let todo = calendar.components.first(where: { $0.name == "VTODO" }),
      let times = TodoTimes(todo, in: &zones, house: zone), times.recurs
    else { return nil }
    return (todo, times)
  }

  /// Replaces a to-do that recurs by its occurrences in a span of time. Returns whether it has one.
  ///
  /// - Parameter size: The size of the text, in bytes.
  private func expand(
    _ calendar: inout CalendarComponent, _ span: TimeRange, _ size: Int
  ) throws -> Bool {
    guard let (todo, times) = series(in: calendar) else { return true }
    let left: Set = [
      "DTSTART", "DUE", "DURATION", "RRULE", "EXDATE", "RDATE", "EXRULE", "RECURRENCE-ID",
    ]
    var plain = todo
    plain.properties.removeAll { left.contains($0.name) || $0.name.hasPrefix("X-MARTLET-") }
    let occurrences = times.occurrences(overlapping: span.from, span.to)
    // Each is nearly as large as the whole.
    let count = occurrences.count * size
    guard count <= CalendarData.mostBytes, room.take(count) else {
      throw DAVError.refusal(
        .forbidden, DAVName.dav("number-of-matches-within-limits"),
        "The occurrences are too large. Ask for a shorter time.")
    }
    calendar.components = occurrences.map { occurrence in
      var one = plain
      one.properties += times.lines(of: occurrence).compactMap { try? ContentLine($0) }
      return one
    }
    return !occurrences.isEmpty
  }
}
