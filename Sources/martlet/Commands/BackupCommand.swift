import Reminders
import Store

/// `martlet backup FILE` and `martlet restore FILE`
enum BackupCommand {
  static func backUp(_ values: Values) throws {
    let file = try values.operand()
    let report = try withProgress("copying") {
      try DatabaseCopy.make(of: values.text(.database), at: file, progress: $0)
    }
    print("\(file): \(report.bytes) bytes, \(report.rows) rows, checked")
  }

  static func restore(_ values: Values) throws {
    let file = try values.operand()
    let path = values.text(.database)
    try DatabaseFile.makeFolder(of: path)
    do {
      let report = try withProgress("restoring") {
        try DatabaseCopy.restore(
          file, to: path, replaces: values.isOn(.force),
          check: {
            guard try RemindersDatabase.isKnown($0) else {
              throw Failure("\(file) is no backup of reminders: it has none of their tables")
            }
          }, progress: $0)
      }
      print("\(path): \(report.bytes) bytes, \(report.rows) rows, checked")
    } catch CopyError.exists {
      throw Failure("\(path) is there already; --force replaces it")
    } catch CopyError.inUse {
      throw Failure("\(path) is in use; stop the server first")
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
