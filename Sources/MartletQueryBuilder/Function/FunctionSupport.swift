import FoundationEssentials

/// What an error of a Swift function says in SQL: its `LocalizedError` description, otherwise its own.
package func message(of error: any Error) -> String {
  (error as? any LocalizedError)?.errorDescription ?? "\(error)"
}

/// What the code that `@DatabaseFunction` writes calls, and nobody else needs.
extension MacroSupport {
  public static func columnCount<each V: QueryRepresentable>(_ types: repeat (each V).Type) -> Int {
    var count = 0
    for type in repeat each types { count += type.columnCount }
    return count
  }

  /// `"exclaim"("reminders"."title")`. A row among the arguments stands for its columns.
  public static func call<V: QueryRepresentable, each E: QueryExpressible>(
    _ name: String, _ arguments: repeat each E
  ) -> SQLQueryExpression<V> {
    var sql: QueryFragment = "\(quote: name)(\(list(repeat each arguments)))"
    sql.segments.append(.function(name))
    return SQLQueryExpression(sql)
  }

  /// `"mode"(DISTINCT "reminders"."priority" ORDER BY …) FILTER (WHERE …)`
  public static func aggregate<V: QueryRepresentable, each E: QueryExpressible>(
    _ name: String, distinct: Bool, order: (some OrderingTerm)?,
    filter: (some QueryExpression<Bool>)?,
    _ arguments: repeat each E
  ) -> SQLQueryExpression<V> {
    var sql: QueryFragment = "\(quote: name)("
    if distinct { sql += "DISTINCT " }
    sql += list(repeat each arguments)
    if let order { sql += " ORDER BY \(order.orderFragment)" }
    sql += ")"
    if let filter { sql += " FILTER (WHERE \(filter.queryFragment))" }
    sql.segments.append(.function(name))
    return SQLQueryExpression(sql)
  }

  private static func list<each E: QueryExpressible>(_ arguments: repeat each E) -> QueryFragment {
    var list: [QueryFragment] = []
    for argument in repeat each arguments {
      if (Swift.type(of: argument)).QueryValue.kind == .row {
        list += argument.selection.map(\.fragment)
      } else {
        list.append(argument.queryFragment)
      }
    }
    return list.joined(", ")
  }

  /// What a Swift result is in SQL.
  public static func result<V: ColumnRepresentation>(
    _ value: V.QueryOutput, as type: V.Type
  ) -> QueryBinding { V.bind(value) }

  /// What a method throws whose object, captured weakly, is gone.
  public struct OwnerIsGone: Error, CustomStringConvertible {
    let function: String
    public init(_ function: String) { self.function = function }
    public var description: String { "the object that \(function) is a method of is gone" }
  }
}
