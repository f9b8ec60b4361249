import CSQLite

/// One row about to be inserted, updated or deleted. Valid only inside the hook's closure.
///
/// Unlike the update hook, this sees `REPLACE`, deletes of whole tables and `WITHOUT ROWID` tables
/// (https://sqlite.org/c3ref/preupdate_blobwrite.html).
public struct PreupdateChange {
  public enum Operation: Sendable { case insert, update, delete }

  public let operation: Operation
  /// The names as SQLite holds them, for comparing without making a `String`.
  public let databaseNameBytes: UnsafePointer<CChar>
  public let tableNameBytes: UnsafePointer<CChar>
  /// The row's id before the change; of an insert, the new one. Meaningless in a `WITHOUT ROWID`
  /// table.
  public let oldRowID: Int64
  /// The row's id after the change; of a delete, the old one.
  public let newRowID: Int64
  fileprivate let handle: OpaquePointer

  public var database: String { String(cString: databaseNameBytes) }
  public var table: String { String(cString: tableNameBytes) }

  /// The number of stored columns. Generated columns that are not stored have no place here.
  public var columnCount: Int { Int(sqlite3_preupdate_count(handle)) }

  /// 0 for a change made by the statement itself, 1 by a trigger of it, and so on.
  public var depth: Int { Int(sqlite3_preupdate_depth(handle)) }

  /// A column's value before the change, by storage order; nil for an insert.
  public func old(_ column: Int) -> Value? {
    guard operation != .insert else { return nil }
    var value: OpaquePointer?
    guard sqlite3_preupdate_old(handle, Int32(column), &value) == SQLITE_OK, let value else {
      return nil
    }
    return Value(copying: value)
  }

  /// A column's value after the change, by storage order; nil for a delete.
  public func new(_ column: Int) -> Value? {
    guard operation != .delete else { return nil }
    var value: OpaquePointer?
    guard sqlite3_preupdate_new(handle, Int32(column), &value) == SQLITE_OK, let value else {
      return nil
    }
    return Value(copying: value)
  }
}

/// Owns the closure that SQLite calls.
final class PreupdateHook {
  let body: (PreupdateChange) -> Void
  init(_ body: @escaping (PreupdateChange) -> Void) { self.body = body }
}

extension Connection {
  /// Calls `body` before each change of a row of a real table, on the thread that makes it. Install
  /// it before the first statement: a `DELETE FROM t` prepared earlier reports no rows. Nil removes
  /// it.
  ///
  /// The body must not use the connection.
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
