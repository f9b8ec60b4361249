import MartletICalendar
import MartletTime

/// The definitions of the time zones that the lines of to-dos name, which must be in their calendar
/// (RFC 5545 section 3.2.19).
enum TodoZones {
  /// The lines of the definitions: the stored ones, and for others those of the system.
  ///
  /// - Parameters:
  ///   - first: From when on zones of the system are defined.
  ///   - known: The names that are defined already. Names must be unique (section 3.8.3.1).
  static func definitions(
    namedBy lines: [String], _ kept: KeptLines, from first: Instant,
    except known: inout Set<[UInt8]>
  ) -> [String] {
    // Only a line with a parameter names one.
    let named = kept.namedZones(
      lines.filter { line in
        line.utf8.first { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ":") } == UInt8(ascii: ";")
      }
    ).subtracting(known)
    guard !named.isEmpty else { return [] }
    var definitions: [String] = []
    for (name, zone) in kept.zones(namedBy: lines)
    where named.contains(Array(name.utf8)) && known.insert(Array(name.utf8)).inserted {
      definitions += zone
    }
    for name in named.subtracting(known).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      guard let zone = CalendarTime.zone(String(decoding: name, as: UTF8.self)),
        zone.identifier.utf8.elementsEqual(name)
      else { continue }
      known.insert(name)
      definitions += ZoneWriter.lines(of: zone, from: first)
    }
    return definitions
  }
}
