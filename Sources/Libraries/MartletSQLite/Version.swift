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
