import Glibc
import MartletQueryBuilder
import MartletSQLite

/// Copies of a database file: made while others read and write it, checked, and then put in place, whole or
/// not at all.
public enum DatabaseCopy {
  /// What was copied.
  public struct Report: Sendable {
    public let bytes: Int
    /// Rows of all tables together, shadow tables of full-text search included.
    public let rows: Int
    /// Rows that refer to others which are not there: copied as they are.
    public let danglingReferences: Int
  }

  /// Copies the database as it is at one moment. Writers go on meanwhile.
  ///
  /// A database that is at the destination is replaced, unless somebody uses it.
  /// - Parameters:
  ///   - check: Looks at the source first; what it throws ends the copy.
  ///   - progress: Called often with the share that is done, 0 to 1; what it throws ends the copy.
  @discardableResult
  public static func make(
    of source: String, at destination: String, check: (Connection) throws -> Void = { _ in },
    progress: ((Double) throws -> Void)? = nil
  ) throws -> Report {
    guard let model = FileStatus(source) else { throw CopyError.missing(source) }
    guard !model.isFolder else { throw CopyError.file(source, EISDIR) }
    // Through links: the file is replaced, not the link to it.
    let destination = resolved(destination)
    let old = FileStatus(destination)
    guard old != model else { throw CopyError.sameFile }
    let from = try Connection(location: .file(source), options: [.readOnly, .noMutex])
    from.setBusyTimeout(.seconds(5))
    // One snapshot for all of it: what is written meanwhile would have the copy begin anew.
    try from.execute("BEGIN")
    try check(from)
    let tables = try rowCounts(from)
    // Held until the copy is in its place.
    let claim = try old.map { _ in try ExclusiveLock(destination) }
    defer { claim?.release() }

    let temporary = "\(destination).\(getpid())\(partial)"
    do {
      try DurableFile.create(temporary)
      let to = try Connection(location: .file(temporary), options: [.readWrite, .noMutex])
      try from.backup(to: to, pagesPerStep: 1024) {
        try progress?(1 - Double($0.remainingPages) / Double(max($0.totalPages, 1)))
      }
      // From here on the source's log may shrink again.
      from.close()
      let dangling = try finish(to, tables, progress)
      let bytes = try DurableFile.place(
        temporary, at: destination, like: old ?? model, mode: old?.mode ?? model.modeOfCopy)
      return Report(
        bytes: bytes, rows: tables.values.reduce(0, +), danglingReferences: dangling)
    } catch {
      DurableFile.remove(temporary)
      throw error
    }
  }

  /// Puts a copy in the place of a database, which nobody may use meanwhile.
  ///
  /// - Parameter replaces: Otherwise there must be no database.
  @discardableResult
  public static func restore(
    _ copy: String, to path: String, replaces: Bool, check: (Connection) throws -> Void = { _ in },
    progress: ((Double) throws -> Void)? = nil
  ) throws -> Report {
    guard replaces || FileStatus(path) == nil else { throw CopyError.exists(path) }
    return try make(of: copy, at: path, check: check, progress: progress)
  }

  /// The end of the name of a copy that is being made.
  private static let partial = ".partial"

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  // MARK: Checking

  /// Checks the copy, and leaves it as one file that can be read from anywhere.
  private static func finish(
    _ copy: Connection, _ tables: [String: Int], _ progress: ((Double) throws -> Void)?
  ) throws -> Int {
    // A log would want a place to be written to, also by who only reads.
    try copy.pragma("journal_mode", set: "DELETE")
    if let progress {
      copy.onProgress(every: 100_000) {
        do {
          try progress(1)
          return true
        } catch { return false }
      }
    }
    try checkPages(copy)
    guard try rowCounts(copy) == tables else { throw CopyError.incomplete }
    let dangling = try danglingReferences(copy)
    copy.close()
    return dangling
  }

  /// Throws what is wrong with the pages of a database, if anything is.
  public static func checkPages(_ connection: Connection) throws {
    let faults = try connection.rows("PRAGMA integrity_check(10)").compactMap { $0[0].text }
    guard faults == ["ok"] else { throw CopyError.damaged(faults) }
  }

  /// How many rows refer to others which are not there, as a program can leave them that has not turned on
  /// foreign keys.
  public static func danglingReferences(_ connection: Connection) throws -> Int {
    Int(try connection.value("SELECT count(*) FROM pragma_foreign_key_check")?.integer ?? 0)
  }

  private static func rowCounts(_ connection: Connection) throws -> [String: Int] {
    let names = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
    var counts: [String: Int] = [:]
    for name in names.compactMap({ $0[0].text }) {
      let count = try connection.value("SELECT count(*) FROM \(quoted(identifier: name))")
      counts[name] = Int(count?.integer ?? 0)
    }
    return counts
  }
}
