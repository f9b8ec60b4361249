import CMartletSQLite

/// A version of the SQLite library. The library at run time can differ from the headers.
public struct Version: Sendable, Comparable, CustomStringConvertible {
  /// The first number of the version, 3.
  public var major: Int
  /// The second number of the version, such as 46 in 3.46.1.
  public var minor: Int
  /// The third number of the version, such as 1 in 3.46.1.
  public var patch: Int

  /// Makes a version from its numbers.
  public init(_ major: Int, _ minor: Int, _ patch: Int = 0) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }

  /// The version of the library in this process (https://sqlite.org/c3ref/libversion.html).
  public static let library: Version = {
    let number = Int(sqlite3_libversion_number())
    return Version(number / 1_000_000, number / 1_000 % 1_000, number % 1_000)
  }()

  /// The oldest supported version. Opening a connection with an older library throws.
  public static let oldestSupported = Version(3, 40)

  public var description: String { "\(major).\(minor).\(patch)" }

  /// Compares the numbers from first to last.
  public static func < (left: Version, right: Version) -> Bool {
    (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
  }

  static func check() throws(SQLiteError) {
    guard library < oldestSupported else { return }
    throw SQLiteError(
      code: SQLITE_ERROR,
      message: "SQLite \(library) is too old: \(oldestSupported) or later is required")
  }
}

/// The configuration of SQLite for the whole process.
enum Library {
  /// Runs once, before the first connection. It has no effect if SQLite was already in use in this
  /// process.
  static let isConfigured: Bool = {
    // The statement journal, which holds what a statement or a savepoint can undo, stays in memory
    // up to this size and then moves to a file. SQLite's default of 64 KiB is fifteen pages: one
    // insert into a table with a search index changes more, and most system calls of a commit were
    // writes to this file.
    let journal = sqlite3_config_number(SQLITE_CONFIG_STMTJRNL_SPILL, 4 << 20)
    // Memory statistics are not used, and counting takes a lock for each allocation.
    let counting = sqlite3_config_number(SQLITE_CONFIG_MEMSTATUS, 0)
    guard journal == SQLITE_OK else { return false }
    precondition(SpilledJournal.install(), "SQLite has no default VFS")
    return counting == SQLITE_OK
  }()
}
