import CMartletSQLite

/// The SQLite library that is linked at run time, which need not be the one of the headers.
public struct Version: Sendable, Comparable, CustomStringConvertible {
  public var major: Int
  public var minor: Int
  public var patch: Int

  public init(_ major: Int, _ minor: Int, _ patch: Int = 0) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }

  /// The library in this process (https://sqlite.org/c3ref/libversion.html).
  public static let library: Version = {
    let number = Int(sqlite3_libversion_number())
    return Version(number / 1_000_000, number / 1_000 % 1_000, number % 1_000)
  }()

  /// The oldest library this module works with; opening a connection with an older one throws.
  public static let oldestSupported = Version(3, 40)

  public var description: String { "\(major).\(minor).\(patch)" }

  public static func < (left: Version, right: Version) -> Bool {
    (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
  }

  static func check() throws(SQLiteError) {
    guard library < oldestSupported else { return }
    throw SQLiteError(
      code: SQLITE_ERROR,
      message: "this is SQLite \(library); at least \(oldestSupported) is needed")
  }
}
