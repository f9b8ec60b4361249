// Aggregates that return one JSON array (https://sqlite.org/json1.html#jgrouparray). `order` needs
// SQLite 3.44.

extension QueryExpression where QueryValue.Unwrapped: ColumnRepresentation {
  /// All values in a JSON array: `json_group_array("t"."title")`.
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
  /// The row as a JSON object: `json_object('id', "t"."id", 'title', "t"."title")`.
  public func jsonObject() -> SQLQueryExpression<JSONRowObject<QueryValue>> {
    SQLQueryExpression(MartletQueryBuilder.jsonObject(selection[...]))
  }

  /// All rows, as objects in a JSON array: `json_group_array(json_object('id', "t"."id", …))`.
  public func jsonGroupArray(
    distinct: Bool = false, order: (some OrderingTerm)? = SQLOrder?.none,
    filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<JSONArray<QueryValue>> {
    aggregate(
      "json_group_array", jsonObject().queryFragment, distinct: distinct,
      order: order?.orderFragment, filter)
  }

  /// The condition that there is a row: its key, or its `rowid`, is not NULL.
  fileprivate var isThere: QueryFragment {
    let key = Self.all.first(where: \.isKey)?.name ?? "rowid"
    return "(\(QueryFragment(column: key, of: qualifier)) IS NOT NULL)"
  }
}

extension OuterColumns {
  /// The row as a JSON object, or NULL if there is no row: `CASE WHEN … THEN json_object(…) END`.
  public func jsonObject() -> SQLQueryExpression<JSONRowObject<Base.QueryValue>?> {
    SQLQueryExpression("CASE WHEN \(base.isThere) THEN \(base.jsonObject()) END")
  }

  /// All rows of the optional side of an outer join, in a JSON array without the missing ones:
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

  /// The filter, restricted to rows that are not missing.
  func whereThere(_ filter: (some QueryExpression<Bool>)?) -> SQLQueryExpression<Bool> {
    let isThere = SQLQueryExpression<Bool>(base.isThere)
    return filter.map { SQLQueryExpression("(\(isThere) AND \($0))") } ?? isThere
  }
}

// An array of Codable elements has the type of a column declared with
// `@Column(as: [Tag].JSONRepresentation.self)`.

extension QueryExpression where QueryValue.Unwrapped: QueryBindable & Codable {
  /// All values in a JSON array: `json_group_array("t"."title")`.
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
  /// The row as a JSON object: `json_object('id', "t"."id", 'title', "t"."title")`.
  public func jsonObject() -> SQLQueryExpression<CodableJSONRepresentation<QueryValue>> {
    SQLQueryExpression(MartletQueryBuilder.jsonObject(selection[...]))
  }
  /// All rows, as objects in a JSON array: `json_group_array(json_object('id', "t"."id", …))`.
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
  /// The row as a JSON object, or NULL if there is no row: `CASE WHEN … THEN json_object(…) END`.
  public func jsonObject() -> SQLQueryExpression<CodableJSONRepresentation<Base.QueryValue>?> {
    SQLQueryExpression("CASE WHEN \(base.isThere) THEN \(base.jsonObject()) END")
  }
  /// All rows in a JSON array, without the missing ones: `json_group_array(…) FILTER (WHERE …)`.
  public func jsonGroupArray(
    distinct: Bool = false, order: (some OrderingTerm)? = SQLOrder?.none,
    filter: (some QueryExpression<Bool>)? = NoFilter?.none
  ) -> AggregateFunctionExpression<CodableJSONRepresentation<[Base.QueryValue]>> {
    aggregate(
      "json_group_array", jsonObject().queryFragment, distinct: distinct,
      order: order?.orderFragment, whereThere(filter))
  }
}
