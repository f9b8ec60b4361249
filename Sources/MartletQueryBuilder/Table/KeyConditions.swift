// What `find` asks of a row: that its key is this one, or one of these.

extension PrimaryKeyedDefinition where PrimaryKey: ColumnRepresentation {
  /// `("reminders"."id" = ?)`
  public func isKey(_ key: PrimaryKey.QueryOutput) -> QueryFragment {
    "(\(primaryKey) = \(PrimaryKey.bind(key)))"
  }

  /// `("reminders"."id" IN (?, ?))`
  public func isKey(in keys: [PrimaryKey.QueryOutput]) -> QueryFragment {
    "(\(primaryKey) IN (\(keys.map { QueryFragment(PrimaryKey.bind($0)) }.joined(", "))))"
  }
}

extension PrimaryKeyedDefinition where PrimaryKey: Table {
  /// `(("e"."a", "e"."b") = (?, ?))`
  public func isKey(_ key: PrimaryKey) -> QueryFragment {
    infix(primaryKey.queryFragment, holdsNull(key) ? "IS" : "=", rowValue(key))
  }

  /// `(("e"."a", "e"."b") IN (VALUES (?, ?), (?, ?)))`
  public func isKey(in keys: [PrimaryKey]) -> QueryFragment { isIn(primaryKey.queryFragment, keys) }
}

/// A draft's key of several columns, which may be missing as a whole.
extension PrimaryKeyedDefinition {
  public func isKey(_ key: PrimaryKey.QueryOutput) -> QueryFragment {
    let values = bound(key, as: PrimaryKey.self)
    let isNull = values.contains { $0 == QueryFragment(.null) }
    return infix(
      primaryKey.queryFragment, isNull ? "IS" : "=", "(\(values.joined(", ")))")
  }
  public func isKey(in keys: [PrimaryKey.QueryOutput]) -> QueryFragment {
    keys.isEmpty
      ? infix(primaryKey.queryFragment, "IN", "()")
      : "(\(keys.map { isKey($0) }.joined(" OR ")))"
  }
}
