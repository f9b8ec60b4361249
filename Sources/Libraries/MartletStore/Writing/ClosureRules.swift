import MartletSQLite

/// Prevents closures from ending a transaction that they do not own, and in a cluster from changing
/// the schema, which entries of the log cannot describe.
///
/// Two mechanisms enforce this. The authorizer refuses such statements when they are prepared. The
/// commit hook turns any other commit into a rollback: after `RAISE(ROLLBACK)`, every statement
/// commits on its own. Without the hook, a write could be durable and still run again.
final class ClosureRules {
  /// The name of the savepoint around each write of a group.
  static let savepoint = "martlet_write"

  /// Whether a closure is running.
  var isInside = false

  /// Installs the rules on a connection. The authorizer's previous decisions stay in effect.
  static func install(
    on connection: Connection, allowsSchemaChanges: Bool = true
  ) -> ClosureRules {
    let rules = ClosureRules()
    let others = connection.authorizer.decide
    connection.authorizer.decide = { request in
      if rules.isInside {
        if let reason = refusal(of: request) { return .deny(reason) }
        if !allowsSchemaChanges, changesSchema(request) {
          return .deny("the schema cannot be changed in a cluster's write")
        }
      }
      return others?(request) ?? .allow
    }
    connection.onCommit { !rules.isInside }
    return rules
  }

  static func refusal(of request: Authorizer.Request) -> String? {
    switch request.action {
    case SQLITE_TRANSACTION:
      return "\(request.first ?? "a transaction") inside a write or read closure"
    case SQLITE_SAVEPOINT where request.second?.lowercased() == savepoint:
      return "the savepoint name \(savepoint) is reserved"
    case SQLITE_ATTACH, SQLITE_DETACH:
      return "ATTACH and DETACH inside a write or read closure"
    case SQLITE_PRAGMA where !isHarmless(request):
      return "PRAGMA \(request.first ?? "") inside a write or read closure"
    default: return nil
    }
  }

  /// Whether an action changes the schema of the file. Temporary tables are the connection's own.
  private static func changesSchema(_ request: Authorizer.Request) -> Bool {
    switch request.action {
    case SQLITE_CREATE_TABLE, SQLITE_CREATE_INDEX, SQLITE_CREATE_TRIGGER, SQLITE_CREATE_VIEW,
      SQLITE_CREATE_VTABLE, SQLITE_DROP_TABLE, SQLITE_DROP_INDEX, SQLITE_DROP_TRIGGER,
      SQLITE_DROP_VIEW, SQLITE_DROP_VTABLE, SQLITE_ALTER_TABLE:
      request.database?.lowercased() != "temp"
    default: false
    }
  }

  /// Whether a pragma only reads. FTS5 itself uses `data_version`, and the table-valued functions
  /// `pragma_table_info(…)` count as pragmas too.
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
