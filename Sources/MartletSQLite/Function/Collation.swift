import CMartletSQLite

/// Owns the comparison that SQLite calls.
private final class Collation {
  let compare: (String, String) -> Int
  init(_ compare: @escaping (String, String) -> Int) { self.compare = compare }
}

/// An order for texts, under the name that SQL calls it by: `collate(Collation(rawValue: "natural"))`.
public struct DatabaseCollation: Sendable {
  public let name: String
  /// Negative when the first comes before the second, 0 when they are equal.
  public let compare: @Sendable (String, String) -> Int

  public init(_ name: String, _ compare: @escaping @Sendable (String, String) -> Int) {
    self.name = name
    self.compare = compare
  }

  /// By the code points, without regard to case as Unicode has it.
  public static let caseInsensitive = DatabaseCollation("caseInsensitive") { left, right in
    let (left, right) = (left.lowercased(), right.lowercased())
    return left == right ? 0 : left < right ? -1 : 1
  }
}

extension Connection {
  public func add(collation: DatabaseCollation) throws(SQLiteError) {
    try addCollation(collation.name, collation.compare)
  }
  public func remove(collation: DatabaseCollation) throws(SQLiteError) {
    try removeCollation(collation.name)
  }

  /// Adds an order for texts: negative when the first comes before the second, 0 when they are
  /// equal. It must be the same on every connection that ever opens the file, or its indexes break
  /// (https://sqlite.org/c3ref/create_collation.html).
  public func addCollation(
    _ name: String, _ compare: @escaping (String, String) -> Int
  ) throws(SQLiteError) {
    let collation = Unmanaged.passRetained(Collation(compare))
    let code = sqlite3_create_collation_v2(
      handle, name, SQLITE_UTF8, collation.toOpaque(), collate,
      { Unmanaged<Collation>.fromOpaque($0!).release() })
    guard code == SQLITE_OK else {
      // Unlike for functions, SQLite does not release the context when this call fails.
      collation.release()
      throw SQLiteError(handle: handle, code: code)
    }
  }

  /// Removes an order.
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
