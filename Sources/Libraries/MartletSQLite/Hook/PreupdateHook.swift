import CMartletSQLite
import Glibc

/// One row about to be inserted, updated or deleted. It is valid only inside the hook's closure.
///
/// Unlike the update hook, it also reports rows changed by `REPLACE`, deletes of whole tables, and
/// `WITHOUT ROWID` tables (https://sqlite.org/c3ref/preupdate_blobwrite.html).
public struct PreupdateChange {
  /// The kind of a change: insert, update or delete.
  public enum Operation: Sendable { case insert, update, delete }

  /// The kind of this change.
  public let operation: Operation
  /// The names as C strings, for comparing without allocating a `String`.
  package let databaseNameBytes: UnsafePointer<CChar>
  package let tableNameBytes: UnsafePointer<CChar>
  /// The rowid before the change, or for an insert the new one. It has no meaning in a
  /// `WITHOUT ROWID` table.
  public let oldRowID: Int64
  /// The rowid after the change, or for a delete the old one.
  public let newRowID: Int64
  fileprivate let handle: OpaquePointer

  /// The name of the database: `main`, `temp` or that of an attached database.
  public var database: String { String(cString: databaseNameBytes) }
  /// The name of the table.
  public var table: String { String(cString: tableNameBytes) }

  /// The number of stored columns. Virtual generated columns are not counted.
  public var columnCount: Int { Int(sqlite3_preupdate_count(handle)) }

  /// 0 for a change made by the statement itself, 1 for one made by its triggers, and so on.
  public var depth: Int { Int(sqlite3_preupdate_depth(handle)) }

  /// A column's value before the change, by its position among the stored columns; `nil` for an
  /// insert.
  public func old(_ column: Int) -> Value? {
    guard operation != .insert else { return nil }
    var value: OpaquePointer?
    guard sqlite3_preupdate_old(handle, Int32(column), &value) == SQLITE_OK, let value else {
      return nil
    }
    return Value(copying: value)
  }

  /// A column's value after the change, by its position among the stored columns; `nil` for a
  /// delete.
  public func new(_ column: Int) -> Value? {
    guard operation != .delete else { return nil }
    var value: OpaquePointer?
    guard sqlite3_preupdate_new(handle, Int32(column), &value) == SQLITE_OK, let value else {
      return nil
    }
    return Value(copying: value)
  }
}

extension PreupdateChange {
  /// Whether an update changes a column's value. Returns `true` if that is unknown.
  ///
  /// With `hasDefault`, an old NULL counts as unknown: a row older than its column shows NULL
  /// instead of the default.
  public func changes(_ column: Int, hasDefault: Bool = false) -> Bool {
    var old: OpaquePointer?
    var new: OpaquePointer?
    guard operation == .update,
      sqlite3_preupdate_old(handle, Int32(column), &old) == SQLITE_OK, let old,
      sqlite3_preupdate_new(handle, Int32(column), &new) == SQLITE_OK, let new
    else { return true }
    let type = sqlite3_value_type(old)
    if hasDefault, type == SQLITE_NULL { return true }
    guard type == sqlite3_value_type(new) else { return true }
    switch type {
    case SQLITE_NULL: return false
    case SQLITE_INTEGER: return sqlite3_value_int64(old) != sqlite3_value_int64(new)
    case SQLITE_FLOAT:
      return sqlite3_value_double(old).bitPattern != sqlite3_value_double(new).bitPattern
    // Reads a text as text: reading it as a blob would convert it.
    case SQLITE_TEXT: return differ(old, new) { sqlite3_value_text($0).map { .init($0) } }
    default: return differ(old, new) { sqlite3_value_blob($0) }
    }
  }

  private func differ(
    _ old: OpaquePointer, _ new: OpaquePointer, bytes: (OpaquePointer) -> UnsafeRawPointer?
  ) -> Bool {
    let before = bytes(old)
    let after = bytes(new)
    let count = sqlite3_value_bytes(old)
    guard count == sqlite3_value_bytes(new) else { return true }
    guard count > 0 else { return false }
    guard let before, let after else { return true }
    return memcmp(before, after, Int(count)) != 0
  }

  /// The key of a column's value before the change; `nil` for an insert or if the value is
  /// unavailable.
  public func oldKey(_ column: Int, _ collation: ValueKey.Collation) -> ValueKey? {
    var value: OpaquePointer?
    guard operation != .insert, sqlite3_preupdate_old(handle, Int32(column), &value) == SQLITE_OK
    else { return nil }
    return value.map { ValueKey($0, collation) }
  }

  /// The key of a column's value after the change; `nil` for a delete or if the value is
  /// unavailable.
  public func newKey(_ column: Int, _ collation: ValueKey.Collation) -> ValueKey? {
    var value: OpaquePointer?
    guard operation != .delete, sqlite3_preupdate_new(handle, Int32(column), &value) == SQLITE_OK
    else { return nil }
    return value.map { ValueKey($0, collation) }
  }
}

/// Owns the closure that SQLite calls.
final class PreupdateHook {
  let body: (PreupdateChange) -> Void
  init(_ body: @escaping (PreupdateChange) -> Void) { self.body = body }
}

extension Connection {
  /// Sets the preupdate hook, called before each row change in a real table, on the thread that
  /// makes the change.
  ///
  /// Set it before preparing the first statement: a `DELETE FROM t` prepared earlier reports no
  /// rows. The body must not use the connection. `nil` removes the hook.
  public func onPreupdate(_ body: ((PreupdateChange) -> Void)?) {
    guard let body else {
      sqlite3_preupdate_hook(handle, nil, nil)
      hooks.preupdate = nil
      return
    }
    let hook = PreupdateHook(body)
    sqlite3_preupdate_hook(handle, preupdate, Unmanaged.passUnretained(hook).toOpaque())
    hooks.preupdate = hook
  }
}

private func preupdate(
  context: UnsafeMutableRawPointer?, handle: OpaquePointer?, operation: Int32,
  database: UnsafePointer<CChar>?, table: UnsafePointer<CChar>?, oldRowID: Int64, newRowID: Int64
) {
  let kind: PreupdateChange.Operation =
    switch operation {
    case SQLITE_INSERT: .insert
    case SQLITE_UPDATE: .update
    default: .delete
    }
  let hook = Unmanaged<PreupdateHook>.fromOpaque(context!).takeUnretainedValue()
  hook.body(
    PreupdateChange(
      operation: kind, databaseNameBytes: database!, tableNameBytes: table!,
      oldRowID: kind == .insert ? newRowID : oldRowID,
      newRowID: kind == .delete ? oldRowID : newRowID, handle: handle!))
}
