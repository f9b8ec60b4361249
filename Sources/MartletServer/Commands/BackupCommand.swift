import MartletReminders
import MartletSQLite
import MartletStore

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
    let report: DatabaseCopy.Report
    do {
      report = try withProgress("copying") {
        try DatabaseCopy.make(
          of: database, at: file, check: DatabaseFile.check(database), progress: $0)
      }
    } catch CopyError.inUse {
      throw Failure("\(file) is in use by another program: choose another file for the backup")
    } catch let error as SQLiteError where error.isFull {
      throw Failure(DatabaseTrouble.describe(error, file))
    }
    tell(report, file)
  }

  static func restore(_ values: Values) throws {
    let file = try values.operand()
    guard !Folder.exists(file) else {
      throw Failure("\(file) is a folder, not a backup: name a file in it")
    }
    let path = values.text(.database)
    try DatabaseFile.prepare(path)
    let replaced = RestoredKeys.revoked(in: path)
    // In a configuration file it would replace a database each time.
    if let force = values.given(.force).first, !force.origin.hasPrefix("--") {
      throw UsageError("\(force.name): --force must be given as a flag")
    }
    do {
      let report = try DatabaseFile.ownedByFolder(path) {
        try withProgress("restoring") {
          try DatabaseCopy.restore(
            file, to: path, replaces: values.isOn(.force), check: DatabaseFile.check(file),
            progress: $0)
        }
      }
      tell(report, path)
      for line in try RestoredKeys.lines(path, revoked: replaced) { print(line) }
    } catch CopyError.exists {
      throw Failure("\(path) already exists; use --force to replace it")
    } catch CopyError.inUse {
      throw Failure("\(path) is in use; stop the server first")
    } catch let error as SQLiteError {
      // SQLite does not say which of the two files the error is about. Nothing was replaced.
      throw Failure("\(file) cannot be restored, and \(path) is unchanged: \(error)")
    }
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
