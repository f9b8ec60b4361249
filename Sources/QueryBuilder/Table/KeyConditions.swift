// What `find` asks of a row: that its key is this one, or one of these.

extension PrimaryKeyedDefinition where PrimaryKey: ColumnRepresentation {
  /// `("reminders"."id" = ?)`
  @usableFromInline func isKey(_ key: PrimaryKey.QueryOutput) -> QueryFragment {
    "(\(primaryKey) = \(PrimaryKey.bind(key)))"
  }

  /// `("reminders"."id" IN (?, ?))`
  func isKey(in keys: [PrimaryKey.QueryOutput]) -> QueryFragment {
    "(\(primaryKey) IN (\(keys.map { QueryFragment(PrimaryKey.bind($0)) }.joined(", "))))"
  }
}

extension PrimaryKeyedDefinition where PrimaryKey: Table {
  /// `(("e"."a", "e"."b") = (?, ?))`
  func isKey(_ key: PrimaryKey) -> QueryFragment {
    infix(primaryKey.queryFragment, holdsNull(key) ? "IS" : "=", rowValue(key))
  }

  /// `(("e"."a", "e"."b") IN (VALUES (?, ?), (?, ?)))`
  func isKey(in keys: [PrimaryKey]) -> QueryFragment { isIn(primaryKey.queryFragment, keys) }
}
