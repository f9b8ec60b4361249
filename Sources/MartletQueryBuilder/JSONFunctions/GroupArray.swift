// Aggregates into one JSON array (https://sqlite.org/json1.html#jgrouparray). `order` needs SQLite 3.44.

extension QueryExpression where QueryValue.Unwrapped: ColumnRepresentation {
  /// `json_group_array("t"."title")`: all values.
  public func jsonGroupArray(
    distinct: Bool = false, order: (some OrderingTerm)? = SQLOrder?.none,
    filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<JSONArray<QueryValue>> {
    aggregate(
      "json_group_array", jsonValue(queryFragment, QueryValue.kind), distinct: distinct,
      order: order?.orderFragment, filter)
  }
}

extension TableDefinition {
  /// The row as an object: `json_object('id', "t"."id", 'title', "t"."title")`.
  public func jsonObject() -> SQLQueryExpression<JSONRowObject<QueryValue>> {
    SQLQueryExpression(MartletQueryBuilder.jsonObject(selection[...]))
  }

  /// All rows, as objects.
  public func jsonGroupArray(
    distinct: Bool = false, order: (some OrderingTerm)? = SQLOrder?.none,
    filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<JSONArray<QueryValue>> {
    aggregate(
      "json_group_array", jsonObject().queryFragment, distinct: distinct,
      order: order?.orderFragment, filter)
  }

  /// Its key, or SQLite's row number: not NULL where there is a row.
  fileprivate var isThere: QueryFragment {
    let key = Self.all.first(where: \.isKey)?.name ?? "rowid"
    return "(\(QueryFragment(column: key, of: qualifier)) IS NOT NULL)"
  }
}

extension OuterColumns {
  /// The row as an object, NULL where there is none.
  public func jsonObject() -> SQLQueryExpression<JSONRowObject<Base.QueryValue>?> {
    SQLQueryExpression("CASE WHEN \(base.isThere) THEN \(base.jsonObject()) END")
  }

  /// The rows that are there:
  ///
  /// ```swift
  /// RemindersList.leftJoin(Reminder.all) { $0.id.eq($1.remindersListID) }
  ///   .group { lists, _ in lists.id }.select { ($0.title, $1.jsonGroupArray()) }
  /// // json_group_array(CASE WHEN ("reminders"."id" IS NOT NULL) THEN json_object('id', …) END)
  /// //   FILTER (WHERE ("reminders"."id" IS NOT NULL))
  /// ```
  public func jsonGroupArray(
    distinct: Bool = false, order: (some OrderingTerm)? = SQLOrder?.none,
    filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<JSONArray<Base.QueryValue>> {
    aggregate(
      "json_group_array", jsonObject().queryFragment, distinct: distinct,
      order: order?.orderFragment, whereThere(filter))
  }

  /// Only the rows that are there.
  func whereThere(_ filter: (some QueryExpression<Bool>)?) -> SQLQueryExpression<Bool> {
    let isThere = SQLQueryExpression<Bool>(base.isThere)
    return filter.map { SQLQueryExpression("(\(isThere) AND \($0))") } ?? isThere
  }
}

// Where the elements are Codable, the array is the one that `@Column(as: [Tag].JSONRepresentation.self)` is.

extension QueryExpression where QueryValue.Unwrapped: QueryBindable & Codable {
  public func jsonGroupArray(
    distinct: Bool = false, order: (some OrderingTerm)? = SQLOrder?.none,
    filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<CodableJSONRepresentation<[QueryValue.QueryOutput]>>
  where QueryValue.QueryOutput: Codable {
    aggregate(
      "json_group_array", jsonValue(queryFragment, QueryValue.kind), distinct: distinct,
      order: order?.orderFragment, filter)
  }
}

extension TableDefinition where QueryValue: Codable {
  public func jsonObject() -> SQLQueryExpression<CodableJSONRepresentation<QueryValue>> {
    SQLQueryExpression(MartletQueryBuilder.jsonObject(selection[...]))
  }
  public func jsonGroupArray(
    distinct: Bool = false, order: (some OrderingTerm)? = SQLOrder?.none,
    filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<CodableJSONRepresentation<[QueryValue]>> {
    aggregate(
      "json_group_array", MartletQueryBuilder.jsonObject(selection[...]), distinct: distinct,
      order: order?.orderFragment, filter)
  }
}

extension OuterColumns where Base.QueryValue: Codable {
  public func jsonObject() -> SQLQueryExpression<CodableJSONRepresentation<Base.QueryValue>?> {
    SQLQueryExpression("CASE WHEN \(base.isThere) THEN \(base.jsonObject()) END")
  }
  public func jsonGroupArray(
    distinct: Bool = false, order: (some OrderingTerm)? = SQLOrder?.none,
    filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<CodableJSONRepresentation<[Base.QueryValue]>> {
    aggregate(
      "json_group_array", jsonObject().queryFragment, distinct: distinct,
      order: order?.orderFragment, whereThere(filter))
  }
}
