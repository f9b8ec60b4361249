import MartletICalendar
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

extension CalendarRepository {
  /// Takes single occurrences of an import into their series, as if they were in the same object.
  static func take(
    _ occurrences: [TransferOccurrence], into id: Int, _ place: Placement, in db: Connection
  ) throws {
    guard var text = try text(of: id, house: place.zone, in: db) else { return }
    let object = try text.withUTF8 { bytes throws(ObjectText.Fault) in
      try ObjectText(bytes, house: place.zone)
    }
    var master = object.master
    guard (master.reminder.values.recurrence ?? nil) != nil else {
      // They cannot be told from the series.
      let parts = occurrences.map { KeptLines($0.lines) }
      var zones = CalendarZones(house: place.zone)
      for zone in parts.flatMap(\.zones) { try zones.define(zone) }
      master.keep(parts, zones)
      return try keep(master.reminder.calendar, of: id, in: db)
    }
    let parts = occurrences.map { occurrence in
      ObjectText.Part(
        isCancelled: occurrence.isCancelled, reminder: occurrence.reminder,
        date: master.lead?.due(of: occurrence.date) ?? occurrence.date, own: occurrence.own)
    }
    try fold(parts, into: id, place, db)
  }
}
