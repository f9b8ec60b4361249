import MartletTime

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
