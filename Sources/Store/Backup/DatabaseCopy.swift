import Glibc
import SQLite

/// Copies of a database file: made while others read and write it, checked, and then put in place, whole or
/// not at all.
public enum DatabaseCopy {
  /// What was copied.
  public struct Report: Sendable {
    public let bytes: Int
    /// Rows of all tables together, shadow tables of full-text search included.
    public let rows: Int
  }

  /// Copies the database as it is at one moment to a file, which is replaced if it is there.
  ///
  /// Writers go on meanwhile; the log grows until the copy is done.
  /// - Parameter progress: Called with the share that is done, 0 to 1; what it throws ends the copy.
  @discardableResult
  public static func make(
    of source: String, at destination: String, progress: ((Double) throws -> Void)? = nil
  ) throws -> Report {
    guard FileStatus(source) != FileStatus(destination) || FileStatus(source) == nil else {
      throw CopyError.sameFile
    }
    let from = try Connection(location: .file(source), options: [.readOnly, .noMutex])
    from.setBusyTimeout(milliseconds: 5_000)
    // One snapshot for all of it: what is written meanwhile would have the copy begin anew.
    try from.execute("BEGIN")
    let tables = try rowCounts(from)
    return try replacing(destination, like: source) { temporary in
      let to = try Connection(location: .file(temporary))
      try from.backup(to: to, pagesPerStep: 1024) {
        try progress?(1 - Double($0.remainingPages) / Double(max($0.totalPages, 1)))
      }
      try check(to)
      let copied = try rowCounts(to)
      guard copied == tables else { throw CopyError.incomplete }
      to.close()
      return copied.values.reduce(0, +)
    }
  }

  /// Puts a copy in the place of a database, which nobody may use meanwhile.
  ///
  /// - Parameters:
  ///   - replaces: Otherwise there must be no database.
  ///   - check: Looks at the copy first; what it throws ends it.
  @discardableResult
  public static func restore(
    _ copy: String, to path: String, replaces: Bool, check: (Connection) throws -> Void = { _ in },
    progress: ((Double) throws -> Void)? = nil
  ) throws -> Report {
    guard FileStatus(copy) != nil else { throw CopyError.missing(copy) }
    try check(Connection(location: .file(copy), options: [.readOnly, .noMutex]))
    // Held until the copy is in place.
    var owner: Connection?
    if FileStatus(path) != nil {
      guard replaces else { throw CopyError.exists(path) }
      owner = try exclusive(path)
    }
    let report = try make(of: copy, at: path, progress: progress)
    owner?.close()
    // A log that is left of the old file would be taken for the new one's.
    for ending in ["-wal", "-shm", "-journal"] { unlink(path + ending) }
    return report
  }

  /// A connection that has the file to itself; `nil` where the file is no database.
  private static func exclusive(_ path: String) throws -> Connection? {
    do throws(SQLiteError) {
      let connection = try Connection(location: .file(path), options: [.readWrite, .noMutex])
      try connection.pragma("locking_mode", set: "EXCLUSIVE")
      try connection.execute("BEGIN EXCLUSIVE; COMMIT")
      return connection
    } catch  where error.isBusy {
      throw CopyError.inUse(path)
    } catch  where [SQLITE_NOTADB, SQLITE_CORRUPT].contains(error.code) {
      return nil
    }
  }

  // MARK: Checking

  /// Throws what is wrong with a database, if anything is.
  public static func check(_ connection: Connection) throws {
    let faults = try connection.rows("PRAGMA integrity_check(10)").compactMap { $0[0].text }
    guard faults == ["ok"] else { throw CopyError.damaged(faults) }
    if let row = try connection.rows("PRAGMA foreign_key_check").first {
      throw CopyError.damaged(["a row of \(row[0].text ?? "?") refers to nothing"])
    }
  }

  private static func rowCounts(_ connection: Connection) throws -> [String: Int] {
    let names = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
    var counts: [String: Int] = [:]
    for name in names.compactMap({ $0[0].text }) {
      let quoted = name.split(separator: "\"", omittingEmptySubsequences: false)
        .joined(separator: "\"\"")
      counts[name] = Int(try connection.value("SELECT count(*) FROM \"\(quoted)\"")?.integer ?? 0)
    }
    return counts
  }

  // MARK: Files

  /// Makes a file under another name, and gives it its own when it is on the disk.
  private static func replacing(
    _ path: String, like model: String, _ make: (String) throws -> Int
  ) throws -> Report {
    let temporary = "\(path).\(getpid())\(DatabaseCopy.partial)"
    func remove() { for ending in ["", "-wal", "-shm", "-journal"] { unlink(temporary + ending) } }
    remove()
    do {
      let rows = try make(temporary)
      let bytes = try sync(temporary, mode: FileStatus(model)?.mode)
      guard rename(temporary, path) == 0 else { throw CopyError.file(path, errno) }
      try sync(folder(of: path))
      return Report(bytes: bytes, rows: rows)
    } catch {
      remove()
      throw error
    }
  }

  /// The end of the name of a copy that is being made.
  public static let partial = ".partial"

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Gives the size.
  @discardableResult
  private static func sync(_ path: String, mode: mode_t? = nil) throws -> Int {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw CopyError.file(path, errno) }
    defer { close(descriptor) }
    if let mode, fchmod(descriptor, mode & 0o777) != 0 { throw CopyError.file(path, errno) }
    guard fsync(descriptor) == 0 else { throw CopyError.file(path, errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw CopyError.file(path, errno) }
    return Int(status.st_size)
  }
}

/// Which file a path leads to; `nil` where there is none.
private struct FileStatus: Equatable {
  private let device: dev_t
  private let inode: ino_t
  let mode: mode_t

  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = status.st_dev
    inode = status.st_ino
    mode = status.st_mode
  }
}
