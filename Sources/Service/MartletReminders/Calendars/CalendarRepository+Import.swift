import MartletICalendar
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

extension CalendarRepository {
  /// Takes the occurrences of an import into their series, as if they were in the same object.
  static func take(
    _ occurrences: [TransferOccurrence], into id: Int, _ place: Placement, in db: Connection
  ) throws {
    guard var text = try text(of: id, house: place.zone, in: db) else { return }
    let object = try text.withUTF8 { bytes throws(ObjectText.Fault) in
      try ObjectText(bytes, house: place.zone)
    }
    var master = object.master
    let (parts, others) = master.divide(occurrences)
    try fold(parts, into: id, place, db)
    guard !others.isEmpty else { return }
    var zones = CalendarZones(house: place.zone)
    for zone in others.flatMap(\.zones) { try zones.define(zone) }
    master.keep(others, zones)
    try keep(master.reminder.calendar, of: id, in: db)
  }
}
