// The conditions of `find`: the row's primary key is this one, or one of these.

extension PrimaryKeyedDefinition where PrimaryKey: ColumnRepresentation {
  /// The row has this primary key: `("reminders"."id" = ?)`.
  public func isKey(_ key: PrimaryKey.QueryOutput) -> QueryFragment {
    "(\(primaryKey) = \(PrimaryKey.bind(key)))"
  }

  /// The row has one of these primary keys: `("reminders"."id" IN (?, ?))`.
  public func isKey(in keys: [PrimaryKey.QueryOutput]) -> QueryFragment {
    "(\(primaryKey) IN (\(keys.map { QueryFragment(PrimaryKey.bind($0)) }.joined(", "))))"
  }
}

extension PrimaryKeyedDefinition where PrimaryKey: Table {
  /// The row has this primary key of several columns: `(("e"."a", "e"."b") = (?, ?))`.
  public func isKey(_ key: PrimaryKey) -> QueryFragment {
    infix(primaryKey.queryFragment, holdsNull(key) ? "IS" : "=", rowValue(key))
  }

  /// The row has one of these primary keys of several columns:
  /// `(("e"."a", "e"."b") IN (VALUES (?, ?), (?, ?)))`.
  public func isKey(in keys: [PrimaryKey]) -> QueryFragment { isIn(primaryKey.queryFragment, keys) }
}

/// The primary key of a draft, if it has several columns, may be missing as a whole.
extension PrimaryKeyedDefinition {
  /// The row has this primary key: `(("e"."a", "e"."b") = (?, ?))`, or `IS` if a part is NULL.
  public func isKey(_ key: PrimaryKey.QueryOutput) -> QueryFragment {
    let values = bound(key, as: PrimaryKey.self)
    let isNull = values.contains { $0 == QueryFragment(.null) }
    return infix(
      primaryKey.queryFragment, isNull ? "IS" : "=", "(\(values.joined(", ")))")
  }
  /// The row has one of these primary keys: `((… = …) OR (… = …))`.
  public func isKey(in keys: [PrimaryKey.QueryOutput]) -> QueryFragment {
    keys.isEmpty
      ? infix(primaryKey.queryFragment, "IN", "()")
      : "(\(keys.map { isKey($0) }.joined(" OR ")))"
  }
}
