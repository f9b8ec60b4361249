import MartletSQLite

/// Keeps closures from ending a transaction that is not theirs.
///
/// Twice: the authorizer refuses such statements when they are prepared, and the commit hook turns
/// a commit that comes about all the same (after a `RAISE(ROLLBACK)` every statement commits by
/// itself) into a rollback. Without the second, a write could be durable and yet run again.
final class ClosureRules {
  /// The savepoint around one write of a group.
  static let savepoint = "martlet_write"

  /// Whether a closure is running.
  var isInside = false

  /// Rules for a connection, beside the authorizer's decisions that were set before.
  static func install(on connection: Connection) -> ClosureRules {
    let rules = ClosureRules()
    let others = connection.authorizer.decide
    connection.authorizer.decide = { request in
      if rules.isInside, let reason = refusal(of: request) { return .deny(reason) }
      return others?(request) ?? .allow
    }
    connection.onCommit { !rules.isInside }
    return rules
  }

  static func refusal(of request: Authorizer.Request) -> String? {
    switch request.action {
    case SQLITE_TRANSACTION:
      return "\(request.first ?? "a transaction") inside a write or read of the store"
    case SQLITE_SAVEPOINT where request.second?.lowercased() == savepoint:
      return "the savepoint \(savepoint) belongs to the store"
    case SQLITE_ATTACH, SQLITE_DETACH:
      return "ATTACH and DETACH inside a write or read of the store"
    case SQLITE_PRAGMA where !isHarmless(request):
      return "PRAGMA \(request.first ?? "") inside a write or read of the store"
    default: return nil
    }
  }

  /// Pragmas that only tell something. FTS5 asks for `data_version` itself, and the table-valued
  /// functions `pragma_table_info(…)` are pragmas too.
  private static func isHarmless(_ request: Authorizer.Request) -> Bool {
    switch request.first?.lowercased() {
    case "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo",
      "foreign_key_list", "foreign_key_check", "integrity_check", "quick_check", "database_list",
      "function_list", "collation_list", "module_list", "pragma_list", "compile_options",
      "data_version":
      true
    case "schema_version", "user_version", "application_id", "page_count", "page_size",
      "freelist_count", "foreign_keys", "journal_mode", "synchronous", "encoding":
      request.second == nil
    default: false
    }
  }
}
