extension QueryOperand where QueryValue.Unwrapped: ColumnRepresentation {
  /// `json_group_array("t"."title")`: all values as one JSON array
  /// (https://sqlite.org/json1.html#jgrouparray). Text that is JSON itself is not quoted twice.
  public func jsonGroupArray(
    distinct: Bool = false, filter: (some QueryOperand<Bool>)? = SQLQueryExpression<Bool>?.none
  ) -> AggregateFunctionExpression<JSONArray<QueryValue>> {
    let value: QueryFragment =
      QueryValue.kind == .json ? "json(\(queryFragment))" : queryFragment
    return aggregate("json_group_array", value, distinct: distinct, filter)
  }
}

/// A JSON array in one column, read as an array of its elements' stored values.
///
/// The element's own representation says how a JSON value becomes a Swift one.
public struct JSONArray<Element: QueryRepresentable>: ColumnRepresentation {
  public typealias QueryOutput = [Element.QueryOutput]
  public static var kind: ColumnKind { .json }
  public static func bind(_ value: [Element.QueryOutput]) -> QueryBinding {
    guard let value = value as? any Encodable else {
      return .invalid(reason: "\([Element.QueryOutput].self) cannot be encoded as JSON")
    }
    return jsonText(value)
  }
  public static func decode(
    _ row: inout RowReader
  ) throws(DecodingProblem) -> [Element.QueryOutput] {
    let problem = row.problem("\([Element.QueryOutput].self) as JSON")
    let text = try row.string()
    guard let type = [Element.QueryOutput].self as? any Decodable.Type,
      let value = jsonValue(type, text) as? [Element.QueryOutput]
    else { throw problem }
    return value
  }
}
