import MartletTime

/// The time zones of a file by the names in it, which are compared by bytes.
package struct CalendarZones: Sendable {
  private struct Definition {
    /// The lines of the definition, joined by line feeds.
    var text: String
    /// The system's zone that the definition names.
    var place: String?
  }

  private var definitions: [[UInt8]: Definition] = [:]
  /// A cache of the zones by name, since many components use the same one.
  private var found: [[UInt8]: ZoneInfo] = [:]

  /// No time zones.
  package init() {}

  /// Adds a VTIMEZONE component, from `BEGIN` to `END`.
  package mutating func define(_ lines: [String]) throws(CalendarError) {
    var name: [UInt8]?
    var place: String?
    for text in lines {
      let line = try ContentLine(text)
      switch line.name {
      case "TZID": name = name ?? Array(line.value.utf8)
      case "X-LIC-LOCATION": place = place ?? line.value
      default: break
      }
    }
    guard let name else { return }
    definitions[name] = Definition(text: lines.joined(separator: "\n"), place: place)
    found[name] = nil
  }

  /// The lines that define a zone, joined by line feeds.
  package func definition(_ name: [UInt8]) -> String? { definitions[name]?.text }

  /// The system's zone with that name, or the one that its definition names. Throws if there is
  /// neither.
  package mutating func zone(_ name: String) throws(CalendarError) -> ZoneInfo {
    let key = Array(name.utf8)
    if let known = found[key] { return known }
    guard let zone = CalendarTime.zone(name) ?? definitions[key]?.place.flatMap(CalendarTime.zone)
    else {
      throw CalendarError("The time zone \"\(name.excerpt)\" is unknown to the system.")
    }
    found[key] = zone
    return zone
  }
}
