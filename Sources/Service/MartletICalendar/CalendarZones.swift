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
  /// A cache of the zones by name, since many components use the same one; `nil` for one that is
  /// unknown.
  private var found: [[UInt8]: CalendarZone?] = [:]
  /// The names of the zones that a definition is compared with first.
  private var preferred: [String] = []
  private var compared = 0

  /// No time zones. A definition without a name that the system knows is compared with `house`
  /// first.
  package init(house: ZoneInfo = .utc) { preferred = [house.identifier] }

  /// The zones that some stored lines define.
  package init(of lines: KeptLines, house: ZoneInfo) {
    self.init(house: house)
    for zone in lines.zones { try? define(zone) }
  }

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
    found.removeValue(forKey: name)
  }

  /// The lines that define a zone, joined by line feeds.
  package func definition(_ name: [UInt8]) -> String? { definitions[name]?.text }

  /// The zone with that name: the system's, the one that its definition names, one of the system
  /// that agrees with the definition, or else the definition itself. Throws if the name is unknown.
  package mutating func zone(_ name: String) throws(CalendarError) -> CalendarZone {
    let key = Array(name.utf8)
    let zone: CalendarZone?
    if let known = found[key] {
      zone = known
    } else {
      let named = CalendarTime.zone(name) ?? definitions[key]?.place.flatMap(CalendarTime.zone)
      zone =
        named.map { CalendarZone($0) } ?? defined(key)
        ?? CalendarTime.meantZone(name).map { CalendarZone($0) }
      found.updateValue(zone, forKey: key)
    }
    guard let zone else {
      throw CalendarError("The time zone \"\(name.excerpt)\" is unknown to the system.")
    }
    return zone
  }

  private mutating func defined(_ key: [UInt8]) -> CalendarZone? {
    guard let text = definitions[key]?.text,
      let definition = ZoneDefinition(
        text.utf8.split(separator: 0x0A).compactMap {
          try? ContentLine(String(Substring($0)))
        })
    else { return nil }
    compared += 1
    guard compared <= CalendarZones.mostCompared else { return CalendarZone(definition) }
    for name in preferred + CalendarZones.common {
      guard let zone = try? ZoneDatabase.system.zone(named: name) else { continue }
      if definition.agrees(with: zone, from: CalendarZones.year) { return CalendarZone(zone) }
    }
    return CalendarZone(definition)
  }

  /// How many definitions of a file are compared with the system's zones.
  private static let mostCompared = 50

  /// The year from which on zones are compared.
  private static let year = 2026

  /// A zone for each of the common offsets and rules.
  private static let common = [
    "Europe/London", "Europe/Berlin", "Europe/Helsinki", "Europe/Moscow", "America/New_York",
    "America/Chicago", "America/Denver", "America/Phoenix", "America/Los_Angeles",
    "America/Anchorage", "Pacific/Honolulu", "America/Halifax", "America/St_Johns",
    "America/Sao_Paulo", "America/Bogota", "America/Mexico_City", "Africa/Lagos",
    "Africa/Johannesburg", "Africa/Cairo", "Asia/Jerusalem", "Asia/Dubai", "Asia/Tehran",
    "Asia/Karachi", "Asia/Kolkata", "Asia/Kathmandu", "Asia/Dhaka", "Asia/Bangkok",
    "Asia/Shanghai", "Asia/Tokyo", "Australia/Adelaide", "Australia/Darwin",
    "Australia/Brisbane", "Australia/Sydney", "Pacific/Auckland",
  ]
}

/// A time zone of a calendar: one of the system, or one that only the calendar defines.
package struct CalendarZone: Sendable {
  /// The system's zone; `nil` if it has none like it.
  package let system: ZoneInfo?
  private let definition: ZoneDefinition?

  /// A zone of the system.
  package init(_ zone: ZoneInfo) {
    system = zone
    definition = nil
  }

  init(_ definition: ZoneDefinition) {
    system = nil
    self.definition = definition
  }

  /// The instant at which clocks of the zone show a time.
  package func instant(of time: CivilTime) -> Instant {
    system?.instant(of: time) ?? definition?.instant(of: time) ?? time.instant()
  }
}
