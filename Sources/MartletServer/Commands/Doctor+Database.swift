import Glibc
import MartletReminders
import MartletSQLite
import MartletStore

// What the database file is, each line with what to do about it.
extension Doctor {
  mutating func file(_ path: String) {
    // Of a folder the check that `serve` shares has told.
    guard access(path, F_OK) == 0, !Folder.exists(path) else { return }
    rights(path)
    do {
      let connection = try Connection(location: .file(path), options: .readWrite)
      connection.setBusyTimeout(.seconds(5))
      let isCurrent = try RemindersDatabase.pendingMigrations(connection).isEmpty
      try DatabaseCopy.checkPages(connection)
      say("every page of \(path) is sound")
      let dangling = try DatabaseCopy.danglingReferences(connection)
      dangling == 0
        ? say("every reference leads somewhere")
        : fault(
          "\(Count(dangling, "row refers to another that is not there", "rows refer to others that are not there")): sqlite3 \(path) 'PRAGMA foreign_key_check' names them, \(restore) puts a backup in its place"
        )
      // Of lost tables the check that `serve` shares has told; without them nothing else fits.
      guard isCurrent, try RemindersDatabase.lostTables(connection).isEmpty else { return }
      if try objects(connection, path) { try search(connection, path) }
      try triggers(connection, path)
      try sequences(connection, path)
      for text in try RemindersDatabase.unfitTexts(connection) {
        warn("\(text): change it, by a client or by sqlite3")
      }
    } catch let error as CopyError {
      fault("\(path) is damaged, \(error): \(restore) puts a backup in its place")
    } catch is MigrationError {
      // Told by the check that `serve` shares.
    } catch let error as SQLiteError {
      fault(
        DatabaseTrouble.describe(error, path, restore: restore, advisesDoctor: false))
    } catch {
      fault("\(path) cannot be read: \(error)")
    }
  }

  private func rights(_ path: String) {
    let open = [path, path + "-wal", path + "-shm"].filter { DatabaseFile.isOpenToOthers($0) }
    if !open.isEmpty {
      let files = open.joined(separator: " ")
      warn("every user of the machine can read \(files): chmod 600 \(files)")
    }
  }

  /// Gives whether the tables of the search index are all there.
  private mutating func objects(_ connection: Connection, _ path: String) throws -> Bool {
    let missing = try RemindersDatabase.missingObjects(connection)
    if missing.isEmpty { say("every table and index is there") }
    for object in missing {
      switch (object.type, object.name) {
      case ("index", let name):
        fault(
          "the index \(name) is missing or changed: sqlite3 \(path) 'DROP INDEX IF EXISTS \(name); \(oneLine(object.sql))'"
        )
      case (_, "reminderTexts"):
        fault(
          "the search index is missing: martlet migrate --database \(path) makes it from the tables"
        )
      case (_, let name):
        // Those behind the search index come with it.
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
    if differences.isEmpty { return say("every trigger is there") }
    for difference in differences {
      let what =
        switch difference.kind {
        case .missing: "is missing"
        case .changed: "was changed"
        case .unknown: "is not of this version"
        }
      fault(
        "the trigger \(difference.name) \(what): martlet migrate --database \(path), or the next start, puts it right"
      )
    }
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
          the ids of \(table) would go on after \(given), and the largest is \(largest): \
          sqlite3 \(path) "UPDATE sqlite_sequence SET seq = \(largest) WHERE name = '\(table)'"
          """)
      }
    }
  }

  private mutating func search(_ connection: Connection, _ path: String) throws {
    let mend = "martlet migrate --database \(path) mends it"
    let strays = try SearchIndex.strays(connection)
    strays == 0
      ? say("search knows what the tables hold")
      : fault("search disagrees with the tables about \(Count(strays, "reminder")): \(mend)")
    // Beside a server no longer than its clients wait for a write.
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
        "the search index was not looked at to its end, which would keep writes waiting: stop the server, and \(mend)"
      )
    }
    isSound ? say("the search index is sound") : fault("the search index is damaged: \(mend)")
  }
}
