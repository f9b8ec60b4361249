import CMartletSQLite

/// Owns the comparison that SQLite calls.
private final class Collation {
  let compare: (String, String) -> Int
  init(_ compare: @escaping (String, String) -> Int) { self.compare = compare }
}

/// A collating sequence with its name in SQL, as in `collate(Collation(rawValue: "natural"))`.
public struct DatabaseCollation: Sendable {
  /// The collation's name in SQL.
  public let name: String
  /// Compares two texts: negative if the first sorts first, 0 if they are equal, positive
  /// otherwise.
  public let compare: @Sendable (String, String) -> Int

  /// Makes a collation with a name and a comparison.
  public init(_ name: String, _ compare: @escaping @Sendable (String, String) -> Int) {
    self.name = name
    self.compare = compare
  }

  /// Compares the Unicode scalars of the lowercased texts.
  public static let caseInsensitive = DatabaseCollation("caseInsensitive") { left, right in
    let (left, right) = (left.lowercased(), right.lowercased())
    return left == right ? 0 : left < right ? -1 : 1
  }
}

extension Connection {
  /// Registers a collation on this connection.
  public func add(collation: DatabaseCollation) throws(SQLiteError) {
    try addCollation(collation.name, collation.compare)
  }
  /// Removes a collation from this connection.
  public func remove(collation: DatabaseCollation) throws(SQLiteError) {
    try removeCollation(collation.name)
  }

  /// Registers a collating sequence (https://sqlite.org/c3ref/create_collation.html).
  ///
  /// `compare` returns a negative number if the first text sorts first and 0 if they are equal.
  /// Every connection that opens the file must use the same comparison: otherwise indexes become
  /// inconsistent.
  public func addCollation(
    _ name: String, _ compare: @escaping (String, String) -> Int
  ) throws(SQLiteError) {
    let collation = Unmanaged.passRetained(Collation(compare))
    let code = sqlite3_create_collation_v2(
      handle, name, SQLITE_UTF8, collation.toOpaque(), collate,
      { Unmanaged<Collation>.fromOpaque($0!).release() })
    guard code == SQLITE_OK else {
      // Unlike for functions, SQLite does not release the context if this call fails.
      collation.release()
      throw SQLiteError(handle: handle, code: code)
    }
  }

  /// Removes the collating sequence of that name.
  public func removeCollation(_ name: String) throws(SQLiteError) {
    let code = sqlite3_create_collation_v2(handle, name, SQLITE_UTF8, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(handle: handle, code: code) }
  }
}

private func collate(
  context: UnsafeMutableRawPointer?, leftCount: Int32, left: UnsafeRawPointer?, rightCount: Int32,
  right: UnsafeRawPointer?
) -> Int32 {
  let collation = Unmanaged<Collation>.fromOpaque(context!).takeUnretainedValue()
  let leftText = String(
    decoding: UnsafeRawBufferPointer(start: left, count: Int(leftCount)), as: UTF8.self)
  let rightText = String(
    decoding: UnsafeRawBufferPointer(start: right, count: Int(rightCount)), as: UTF8.self)
  return Int32(collation.compare(leftText, rightText).signum())
}
