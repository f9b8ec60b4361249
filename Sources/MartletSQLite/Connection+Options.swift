import CMartletSQLite

extension Connection {
  /// How a database is opened (https://sqlite.org/c3ref/open.html).
  public struct Options: OptionSet, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Refuses every write, and a file that does not exist.
    public static let readOnly = Options(rawValue: SQLITE_OPEN_READONLY)
    /// Reads and writes; the file must exist unless ``create`` is given too.
    public static let readWrite = Options(rawValue: SQLITE_OPEN_READWRITE)
    /// Makes the file if it does not exist. Implies ``readWrite``.
    public static let create = Options(rawValue: SQLITE_OPEN_CREATE)
    /// Takes the path as a `file:` URI with parameters.
    public static let uri = Options(rawValue: SQLITE_OPEN_URI)
    /// Without SQLite's own lock around every call: the connection is used by one thread at a time.
    public static let noMutex = Options(rawValue: SQLITE_OPEN_NOMUTEX)
    /// With SQLite's own lock around every call.
    public static let fullMutex = Options(rawValue: SQLITE_OPEN_FULLMUTEX)
    /// Refuses a path whose last component is a symbolic link.
    public static let noFollow = Options(rawValue: SQLITE_OPEN_NOFOLLOW)

    /// Read and write, made if missing, for one thread at a time.
    public static let `default`: Options = [.readWrite, .create, .noMutex]

    /// The flags as `sqlite3_open_v2` wants them: exactly one of read-only and read-write.
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
