import Glibc
import MartletQueryBuilder
import MartletSQLite

/// Copies database files. Other programs may read and write the source meanwhile. The finished copy
/// is checked and then renamed into place.
public enum DatabaseCopy {
  /// The size and the duration of a copy.
  public struct Report: Sendable {
    /// The size of the copy in bytes.
    public let bytes: Int
    /// The number of rows in all tables, including the shadow tables of full-text search, without
    /// the counters of changes (``SchemaPart/counters(of:)``).
    public let rows: Int
    /// The number of rows with a foreign key to a missing row. They are copied unchanged.
    public let danglingReferences: Int
  }

  /// Copies a snapshot of the database. Writers are not blocked meanwhile if the database is in WAL
  /// mode.
  ///
  /// A database at the destination is replaced. Throws if another program has it open.
  /// - Parameters:
  ///   - source: The path of the database.
  ///   - destination: The path of the copy.
  ///   - check: Inspects the source before the copy. An error that it throws cancels the copy.
  ///   - change: Changes the copy, after it was checked and before it is in place.
  ///   - progress: Called repeatedly with the completed fraction, from 0 to 1. An error that it
  ///     throws cancels the copy.
  @discardableResult
  public static func make(
    of source: String, at destination: String, check: (Connection) throws -> Void = { _ in },
    change: (Connection) throws -> Void = { _ in },
    progress: ((Double) throws -> Void)? = nil
  ) throws -> Report {
    guard let model = FileStatus(source) else { throw CopyError.missing(source) }
    guard !model.isFolder else { throw CopyError.file(source, EISDIR) }
    // Resolves symbolic links, so that the file is replaced and not the link.
    let destination = resolved(destination)
    let old = FileStatus(destination)
    guard old != model else { throw CopyError.sameFile }
    let from = try Connection(location: .file(source), options: [.readOnly, .noMutex])
    from.setBusyTimeout(.seconds(5))
    // One snapshot for the whole copy: without it, each write to the source would restart the
    // backup.
    try from.execute("BEGIN")
    try check(from)
    let tables = try rowCounts(from)
    // Held until the copy is in place.
    let claim = try old.map { _ in try ExclusiveLock(destination) }
    defer { claim?.release() }

    removeLeft(of: destination)
    let temporary = temporary(for: destination)
    do {
      try DurableFile.create(temporary)
      let to = try Connection(location: .file(temporary), options: [.readWrite, .noMutex])
      try from.backup(to: to, pagesPerStep: 1024) {
        try progress?(1 - Double($0.remainingPages) / Double(max($0.totalPages, 1)))
      }
      // Ends the snapshot, so that the source's WAL can restart.
      from.close()
      try verify(to, tables, progress)
      try change(to)
      let rows = try rowCounts(to).values.reduce(0, +)
      let dangling = try danglingReferences(to)
      to.close()
      let bytes = try DurableFile.place(
        temporary, at: destination, like: old ?? model, mode: old?.mode ?? model.modeOfCopy)
      return Report(bytes: bytes, rows: rows, danglingReferences: dangling)
    } catch {
      DurableFile.remove(temporary)
      throw error
    }
  }

  /// Replaces a database with a copy. No program may have the database open. The database belongs
  /// to no cluster then (``NodePosition``), even if the copy is that of a cluster's node.
  ///
  /// - Parameters:
  ///   - copy: The path of the copy.
  ///   - path: The path of the database to replace.
  ///   - replaces: Whether an existing database may be replaced. If false and there is one,
  ///     ``CopyError/exists(_:)`` is thrown.
  ///   - check: Inspects the copy first. An error that it throws cancels the restore.
  ///   - change: Changes the restored database, after it was checked and before it is in place.
  ///   - progress: Called repeatedly with the completed fraction, from 0 to 1. An error that it
  ///     throws cancels the restore.
  @discardableResult
  public static func restore(
    _ copy: String, to path: String, replaces: Bool, check: (Connection) throws -> Void = { _ in },
    change: (Connection) throws -> Void = { _ in },
    progress: ((Double) throws -> Void)? = nil
  ) throws -> Report {
    guard replaces || FileStatus(path) == nil else { throw CopyError.exists(path) }
    return try make(
      of: copy, at: path, check: check,
      change: {
        try NodePosition.remove(from: $0)
        try change($0)
      }, progress: progress)
  }

  static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  // MARK: Checking

  /// Turns the copy into a single file that is readable from any location, and checks it.
  private static func verify(
    _ copy: Connection, _ tables: [String: Int], _ progress: ((Double) throws -> Void)?
  ) throws {
    // In WAL mode even readers need write access to the directory.
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
  }

  /// Runs SQLite's integrity check. Throws ``CopyError/damaged(_:)`` with up to 10 messages if it
  /// fails. A value that a `CHECK` would refuse is no damage: it may be older than the constraint.
  public static func checkPages(_ connection: Connection) throws {
    try connection.pragma("ignore_check_constraints", set: "ON")
    defer { _ = try? connection.pragma("ignore_check_constraints", set: "OFF") }
    let faults = try connection.rows("PRAGMA integrity_check(10)").compactMap { $0[0].text }
    guard faults == ["ok"] else { throw CopyError.damaged(faults) }
  }

  /// Returns the number of rows with a foreign key to a missing row. A program that does not
  /// enforce foreign keys can leave such rows.
  public static func danglingReferences(_ connection: Connection) throws -> Int {
    Int(try connection.value("SELECT count(*) FROM pragma_foreign_key_check")?.integer ?? 0)
  }

  /// The rows of each table, except the position in a cluster and the counters of changes.
  private static func rowCounts(_ connection: Connection) throws -> [String: Int] {
    let names = try connection.rows(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' \
      AND name NOT IN (?, ?)
      """, .text(TableCounters.table), .text(NodePosition.table))
    var counts: [String: Int] = [:]
    for name in names.compactMap({ $0[0].text }) {
      let count = try connection.value("SELECT count(*) FROM \(quoted(identifier: name))")
      counts[name] = Int(count?.integer ?? 0)
    }
    return counts
  }
}
