import CMartletSQLite

extension Connection {
  /// How a database is opened (https://sqlite.org/c3ref/open.html).
  public struct Options: OptionSet, Sendable {
    /// The `SQLITE_OPEN_…` flags.
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Opens an existing file for reading. Writes fail with `SQLITE_READONLY`.
    public static let readOnly = Options(rawValue: SQLITE_OPEN_READONLY)
    /// Opens for reading and writing. The file must exist unless ``create`` is set too.
    public static let readWrite = Options(rawValue: SQLITE_OPEN_READWRITE)
    /// Creates the file if it does not exist. Implies ``readWrite``.
    public static let create = Options(rawValue: SQLITE_OPEN_CREATE)
    /// Interprets the path as a `file:` URI with query parameters.
    public static let uri = Options(rawValue: SQLITE_OPEN_URI)
    /// Omits SQLite's own mutex around every call: only one thread may use the connection at a
    /// time.
    public static let noMutex = Options(rawValue: SQLITE_OPEN_NOMUTEX)
    /// Locks SQLite's own mutex around every call.
    public static let fullMutex = Options(rawValue: SQLITE_OPEN_FULLMUTEX)
    /// Refuses a path that contains a symbolic link.
    public static let noFollow = Options(rawValue: SQLITE_OPEN_NOFOLLOW)

    /// Reads and writes, creates a missing file, and uses no mutex.
    public static let `default`: Options = [.readWrite, .create, .noMutex]

    /// The flags for `sqlite3_open_v2`, which requires exactly one of read-only and read-write.
    var flags: Int32 {
      var flags = rawValue
      if contains(.readOnly) {
        flags &= ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
      } else {
        flags |= SQLITE_OPEN_READWRITE
      }
      if flags & (SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_FULLMUTEX) == 0 { flags |= SQLITE_OPEN_NOMUTEX }
      return flags
    }
  }
}

extension Connection {
  /// The location of a database.
  public enum Location: Sendable, Hashable {
    /// A file, by path. A `file:` URI is taken literally unless ``Options/uri`` is set.
    case file(String)
    /// In memory, visible to this connection only.
    case inMemory
    /// An unnamed file that SQLite deletes when the connection closes.
    case temporary

    var path: String {
      switch self {
      // SQLite gives some names a special meaning; the "./" prefix makes them ordinary paths.
      case .file(let path): path.isEmpty || path.hasPrefix(":") ? "./" + path : path
      case .inMemory: ":memory:"
      case .temporary: ""
      }
    }
  }
}
