import MartletQueryBuilder

/// The columns of a trigger that refuses another ID.
enum RowID {
  /// The names by which an `UPDATE` can set an `INTEGER PRIMARY KEY`
  /// (https://sqlite.org/lang_createtable.html#rowid). SQLite compares `OF` with the name that the
  /// statement uses.
  static func names(_ column: String = "id") -> [QueryFragment] {
    [column, "rowid", "oid", "_rowid_"].map { "\(raw: $0)" }
  }
}

extension Table {
  /// The trigger that refuses another ID for a row.
  static var keepsID: Trigger<Self> {
    createTrigger(
      "martlet_\(tableName)_keepID",
      before: .update(of: { _ in return RowID.names() }) { _, _ in
        Raise(.abort, ValueRule.keepsID.rawValue)
      } when: { _, _ in
        #sql("old.id <> new.id", as: Bool.self)
      })
  }
}
