import MartletTime

/// The time zones of a file by the names that it gives them, compared by their bytes.
package struct CalendarZones: Sendable {
  private struct Definition {
    /// Its lines, with line feeds between them.
    var text: String
    /// The system's zone that it says it is.
    var place: String?
  }

  private var definitions: [[UInt8]: Definition] = [:]
  /// Those that were found for names: many components have the same.
  private var found: [[UInt8]: ZoneInfo] = [:]

  package init() {}

  /// Takes a component VTIMEZONE, `BEGIN` to `END`.
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

  /// The lines that define a name, with line feeds between them.
  package func definition(_ name: [UInt8]) -> String? { definitions[name]?.text }

  /// The system's zone of that name, or of the place that its definition says.
  package mutating func zone(_ name: String) throws(CalendarError) -> ZoneInfo {
    let key = Array(name.utf8)
    if let known = found[key] { return known }
    guard let zone = CalendarTime.zone(name) ?? definitions[key]?.place.flatMap(CalendarTime.zone)
    else {
      throw CalendarError("The time zone \"\(name.excerpt)\" is not one of the system's.")
    }
    found[key] = zone
    return zone
  }
}
