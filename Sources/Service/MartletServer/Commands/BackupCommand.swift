import Glibc
import MartletJSON
import MartletReminders
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization

/// The commands `martlet backup FILE` and `martlet restore FILE`.
enum BackupCommand {
  static func backUp(_ values: Values) throws {
    let file = try values.operand()
    guard !Folder.exists(file) else {
      throw Failure(
        "\(file) is a folder, not a file: try martlet backup \(file)/martlet-backup.db")
    }
    if let slash = file.utf8.lastIndex(of: UInt8(ascii: "/")), slash > file.startIndex,
      !Folder.exists(String(file[..<slash]))
    {
      throw Failure("the folder \(file[..<slash]) does not exist: create it first")
    }
    let database = values.text(.database)
    try checkReplaceable(file, by: database)
    let report: DatabaseCopy.Report
    do {
      report = try withProgress("copying") {
        try DatabaseCopy.make(
          of: database, at: file, check: DatabaseFile.check(database), progress: $0)
      }
    } catch let error as CopyError {
      throw Failure(refusal(error, of: database, to: file))
    } catch let error as SQLiteError where error.isFull {
      // Only the copy is written.
      throw Failure(DatabaseTrouble.describe(error, file))
    }
    tell(report, file)
  }

  /// Throws if the file that the backup would replace is something else than a backup of this
  /// version, such as the one that was made before an upgrade.
  private static func checkReplaceable(_ file: String, by database: String) throws {
    var status = stat()
    // An empty file may have been made by mktemp.
    guard stat(file, &status) == 0, status.st_size > 0 else { return }
    let reason: String
    do {
      let connection = try DatabaseFile.reading(file)
      defer { connection.close() }
      switch try RemindersDatabase.fit(connection) {
      case .fits: return
      case .older:
        // A backup of the same older schema loses nothing.
        if try DatabaseFile.fit(database) == .older { return }
        reason = "is a backup of an older version, and the way back to it"
      case .newer: reason = "is a database of a newer version"
      }
    } catch { reason = "exists, and is no backup of martlet" }
    // No advice to delete a file that a server may use.
    let isUsed = try? ExclusiveLock.isLocked(file)
    if isUsed == true { throw Failure(refusal(.inUse(file), of: database, to: file)) }
    throw Failure(
      "\(file) \(reason): choose another file for the backup"
        + (isUsed == false ? ", or delete it" : ""))
  }

  /// Why no backup was made, and what to do.
  private static func refusal(
    _ error: CopyError, of database: String, to file: String
  ) -> String {
    switch error {
    case .missing:
      "there is no database at \(database): name the file of the server with --database"
    case .sameFile: "\(file) is the database itself: choose another file for the backup"
    case .inUse: "\(file) is in use by another program: choose another file for the backup"
    case .exists: "\(error): choose another file for the backup"
    case .damaged, .incomplete:
      "no backup was made: \(error): run martlet doctor --database \(database) for details"
    case .file(let path, let code):
      "no backup was made: \(path): \(FileRemedy.cause(path, code))"
    }
  }

  /// Why nothing was restored, and what to do.
  private static func refusal(
    _ error: CopyError, restoring file: String, to path: String
  ) -> String {
    switch error {
    case .missing: "there is no backup at \(file): name an existing file"
    case .sameFile: "\(file) is the database itself: name a backup of it"
    case .exists: "\(path) already exists: use --force to replace it"
    case .inUse: "\(path) is in use: stop the server first"
    case .damaged(let faults):
      "\(file) is damaged, and \(path) is unchanged: restore another backup (\(faults.joined(separator: "; ")))"
    case .incomplete:
      "\(file) changed while it was read, and \(path) is unchanged: restore a file that no program uses"
    case .file(let place, let code):
      "\(path) is unchanged: \(place): \(FileRemedy.cause(place, code))"
    }
  }

  static func restore(_ values: Values) throws {
    let file = try values.operand()
    guard !Folder.exists(file) else {
      throw Failure("\(file) is a folder, not a backup: name a file in it")
    }
    let path = values.text(.database)
    if DatabaseFile.isOfCluster(path) {
      return try restoreCluster(file, values)
    }
    try DatabaseFile.prepare(path)
    let replaced = RestoredKeys.revoked(in: path)
    // In a configuration file it would replace a database each time.
    if let force = values.given(.force).first, !force.origin.hasPrefix("--") {
      throw UsageError("\(force.name): --force must be given as a flag")
    }
    let passed = Mutex((alarms: 0, deliveries: 0))
    do {
      let report = try DatabaseFile.ownedByFolder(path) {
        try withProgress("restoring") {
          try DatabaseCopy.restore(
            file, to: path, replaces: values.isOn(.force), check: DatabaseFile.checkBackup(file),
            change: { connection in
              let counts = try startAnew(connection)
              passed.withLock { $0 = counts }
            }, progress: $0)
        }
      }
      tell(report, path)
      let (alarms, deliveries) = passed.withLock { $0 }
      if deliveries > 0 {
        print("\(Count(deliveries, "waiting delivery", "waiting deliveries")) will not be sent")
      }
      if alarms > 0 { print("\(Count(alarms, "alarm")) of the time before will not ring") }
      for line in try RestoredKeys.lines(path, revoked: replaced) { print(line) }
    } catch let error as CopyError {
      throw Failure(refusal(error, restoring: file, to: path))
    } catch let error as MigrationError {
      throw Failure(DatabaseTrouble.describe(error, ofBackup: file, for: path))
    } catch let error as SQLiteError {
      // Nothing was replaced. SQLite does not say which of the two files the error is about: only
      // the new one is written, and takes space.
      let place = error.isFull ? path : file
      throw Failure(
        FileRemedy(error).map {
          "\(path) is unchanged: \($0.fault(place)): \($0.advice(place)) (\(error.cause))"
        }
          ?? "\(file) cannot be restored, and \(path) is unchanged: restore another backup, or run martlet doctor --database \(path) (\(error.cause))"
      )
    }
  }

  /// Restores a backup on all nodes of a cluster, by way of the running node of this file, which
  /// must be the primary.
  private static func restoreCluster(_ file: String, _ values: Values) throws {
    guard values.isOn(.force) else {
      throw Failure(
        "\(values.text(.database)) belongs to a cluster: --force replaces the content of all its nodes"
      )
    }
    guard let absolute = realpath(file, nil) else { throw Failure("\(file) does not exist") }
    defer { free(absolute) }
    let body = SharedBytes(Array(String(cString: absolute).utf8))
    let control = try NodeControl(values)
    do {
      print(try control.onNode(.post, "/cluster/restore", body: body), terminator: "")
    } catch let error as NodeControl.NotPrimary {
      throw Failure(
        "\(error): run this on the primary's machine (martlet cluster status), or make this node the primary (martlet cluster transfer ID)"
      )
    }
  }

  /// Changes restored content: the change feed begins anew, and what was due in the meantime does
  /// not ring and is not sent.
  @discardableResult
  static func startAnew(_ connection: Connection) throws -> (alarms: Int, deliveries: Int) {
    try RemindersDatabase.startFeedAnew(connection)
    // A code that was used after the backup would be valid again.
    if try connection.tableExists("pairingCodes") { try connection.run("DELETE FROM pairingCodes") }
    let now = Clock.system.now()
    return (
      try RemindersDatabase.passAlarms(at: now, connection),
      try RemindersDatabase.giveUpDeliveries(at: now, connection)
    )
  }

  private static func tell(_ report: DatabaseCopy.Report, _ path: String) {
    print("\(path): \(Count(report.bytes, "byte")), \(Count(report.rows, "row")), checked")
    if report.danglingReferences > 0 {
      print(
        Count(
          report.danglingReferences, "row refers to a missing row",
          "rows refer to missing rows"))
    }
  }

  private static func withProgress<T>(
    _ what: String, _ body: (@escaping (Double) throws -> Void) throws -> T
  ) throws -> T {
    let line = ProgressLine(what)
    defer { line.end() }
    return try body { line.show($0) }
  }
}
