import Glibc
import MartletReminders
import MartletSQLite
import MartletStore
import MartletTime

// The checks of the database file. Each line that reports a fault says how to fix it.
extension Doctor {
  mutating func file(_ path: String) {
    // If the path is a folder, the check shared with `serve` has reported it.
    guard access(path, F_OK) == 0, !Folder.exists(path) else { return }
    rights(path)
    do {
      let connection = try Connection(location: .file(path), options: .readWrite)
      connection.setBusyTimeout(.seconds(5))
      let isCurrent = try RemindersDatabase.pendingMigrations(connection).isEmpty
      try DatabaseCopy.checkPages(connection)
      say("all pages of \(path) are intact")
      let dangling = try DatabaseCopy.danglingReferences(connection)
      dangling == 0
        ? say("all references lead to existing rows")
        : fault(
          "\(Count(dangling, "row refers to a missing row", "rows refer to missing rows")): sqlite3 \(path) 'PRAGMA foreign_key_check' lists them; restore a backup with \(restore)"
        )
      // The check shared with `serve` has reported lost tables. Without them, the checks below
      // do not apply.
      guard isCurrent, try RemindersDatabase.lostTables(connection).isEmpty else { return }
      if try objects(connection, path) { try search(connection, path) }
      try triggers(connection, path)
      try foreign(connection, path)
      try sequences(connection, path)
      for text in try RemindersDatabase.unfitTexts(connection) {
        warn("\(text): correct it with a client or with sqlite3")
      }
      for text in try RemindersDatabase.unfitAlarms(connection) {
        warn("\(text): correct it with a client or with sqlite3")
      }
      try channels(connection)
    } catch let error as CopyError {
      fault("\(path) is damaged, \(error): restore a backup with \(restore)")
    } catch is MigrationError {
      // The check shared with `serve` has reported it.
    } catch let error as SQLiteError {
      fault(
        DatabaseTrouble.describe(error, path, restore: restore, advisesDoctor: false))
    } catch {
      fault("\(path) cannot be read: \(error)")
    }
  }

  private func channels(_ connection: Connection) throws {
    let report = try RemindersDatabase.channels(connection)
    if report.ringsOnlyInApp {
      warn(
        "no channel or device gets alarms: they ring only while the app is open. The app's settings add a way"
      )
    }
    guard report.count > 0 else { return }
    // The courier is asked as the server asks it.
    let failure = Outgoing.check()
    failure.map { warn("messages to channels cannot be sent: \($0)") }
      ?? say("messages to \(Count(report.count, "channel")) can be sent")
    if failure == nil, let since = report.cannotSendSince {
      warn(
        "the server has not been able to send since \(RFC3339.string(since)): restart it, or try a channel"
      )
    }
    for text in report.failing {
      warn("\(text): GET /v1/deliveries shows what was tried, and PATCH enables a channel again")
    }
    if report.dead > 0 {
      warn(
        "\(Count(report.dead, "delivery was given up", "deliveries were given up")): GET /v1/deliveries?state=dead lists them"
      )
    }
  }

  private func rights(_ path: String) {
    let open = [path, path + "-wal", path + "-shm"].filter { DatabaseFile.isOpenToOthers($0) }
    if !open.isEmpty {
      let files = open.joined(separator: " ")
      warn("every user of the machine can read \(files): chmod 600 \(files)")
    }
  }

  /// Reports missing tables and indexes. Returns whether all tables of the search index exist.
  private mutating func objects(_ connection: Connection, _ path: String) throws -> Bool {
    let missing = try RemindersDatabase.missingObjects(connection)
    if missing.isEmpty { say("all tables and indexes exist") }
    for object in missing {
      switch (object.type, object.name) {
      case ("index", let name):
        fault(
          "the index \(name) is missing or changed: sqlite3 \(path) 'DROP INDEX IF EXISTS \(name); \(oneLine(object.sql))'"
        )
      case (_, "reminderTexts"):
        fault(
          "the search index is missing: martlet migrate --database \(path) rebuilds it from the tables"
        )
      case (_, let name):
        // The shadow tables of the search index are created together with it.
        if missing.contains(where: { $0.name == "reminderTexts" }), name.hasPrefix("reminderTexts_")
        {
          continue
        }
        fault(
          "the table \(name) is missing or changed: restore a backup (\(restore))"
        )
      }
    }
    return !missing.contains { $0.name.hasPrefix("reminderTexts") }
  }

  private func oneLine(_ sql: String) -> String {
    sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private mutating func triggers(_ connection: Connection, _ path: String) throws {
    let differences = try RemindersDatabase.triggerDifferences(connection)
    if differences.isEmpty { return say("all triggers exist") }
    for difference in differences {
      let what =
        switch difference.kind {
        case .missing: "is missing"
        case .changed: "was changed"
        case .unknown: "is unknown to this version"
        }
      fault(
        "the trigger \(difference.name) \(what): martlet migrate --database \(path), or the next start of the server, repairs it"
      )
    }
  }

  /// Names what other programs have added.
  private func foreign(_ connection: Connection, _ path: String) throws {
    let foreign = try RemindersDatabase.foreignObjects(connection)
    for object in foreign where object.type != "table" {
      warn(
        "martlet does not know the \(object.type) \(object.name.excerpt), which may change data: sqlite3 \(path) 'DROP \(object.type.uppercased()) \"\(object.name.excerpt)\"', unless it is yours"
      )
    }
    let tables = foreign.filter { $0.type == "table" }.map { $0.name.excerpt }
    if !tables.isEmpty { say("tables of other programs: \(tables.joined(separator: ", "))") }
  }

  private mutating func sequences(_ connection: Connection, _ path: String) throws {
    for table in ["remindersLists", "reminders"] {
      let row = try connection.rows(
        """
        SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = '\(table)'), 0), \
        coalesce((SELECT max(id) FROM \(table)), 0)
        """)
      guard let given = row.first?[0].integer, let largest = row.first?[1].integer else { continue }
      if given > 1 << 53 || given < largest {
        fault(
          """
          new IDs of \(table) would start after \(given), but the largest ID is \(largest): \
          sqlite3 \(path) "UPDATE sqlite_sequence SET seq = \(largest) WHERE name = '\(table)'"
          """)
      }
    }
  }

  private mutating func search(_ connection: Connection, _ path: String) throws {
    let mend = "martlet migrate --database \(path) repairs it"
    let strays = try SearchIndex.strays(connection)
    strays == 0
      ? say("the search index matches the tables")
      : fault("the search index differs from the tables for \(Count(strays, "reminder")): \(mend)")
    // The check blocks writers, and clients of a running server wait for a few seconds only.
    var start = timespec()
    clock_gettime(CLOCK_MONOTONIC, &start)
    connection.onProgress(every: 10_000) {
      var now = timespec()
      clock_gettime(CLOCK_MONOTONIC, &now)
      return now.tv_sec - start.tv_sec < 3
    }
    defer { connection.onProgress(nil) }
    let isSound: Bool
    do throws(SQLiteError) {
      isSound = try SearchIndex.isSound(connection)
    } catch {
      guard ["SQLITE_INTERRUPT", "SQLITE_BUSY"].contains(error.symbol) else { throw error }
      return warn(
        "the check of the search index was stopped because it blocks writes: stop the server, then \(mend)"
      )
    }
    isSound ? say("the search index is intact") : fault("the search index is damaged: \(mend)")
  }
}
