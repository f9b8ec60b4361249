/// What `\(…)` means in SQL: in a ``QueryFragment`` and in `#sql`.
///
/// Fragments, expressions, tables and statements stand there as they are; a Swift value is bound. A plain Swift
/// string is bound too, with a warning: `bind`, `quote` or `raw` says what it is. Between quotes of SQL nothing is to be
/// interpolated; `#sql` refuses that.
///
/// ```swift
/// #sql("SELECT \(Reminder.columns) FROM \(Reminder.self) WHERE \(Reminder.id) = \(bind: id)")
/// // SELECT "reminders"."id", … FROM "reminders" WHERE "reminders"."id" = ?
/// ```
extension QueryFragment: ExpressibleByStringInterpolation {
  public init(stringLiteral sql: String) { self.init(raw: sql) }
  public init(stringInterpolation: Interpolation) { self = stringInterpolation.fragment }

  /// What a quoted text is to be.
  public enum Delimiter: Sendable {
    /// `"title"`: the name of a table, a column, a trigger.
    case identifier
    /// `'title'`: a string.
    case text
  }

  public struct Interpolation: StringInterpolationProtocol {
    var fragment = QueryFragment()

    public init(literalCapacity: Int, interpolationCount: Int) {
      fragment.segments.reserveCapacity(interpolationCount * 2 + 1)
    }
    public mutating func appendLiteral(_ sql: String) {
      fragment.append(raw: sql)
      if QueryFragment.isSelect(in: sql) { fragment.traits.insert(.select) }
    }
    public mutating func appendInterpolation(_ fragment: QueryFragment) {
      self.fragment += fragment
    }
    public mutating func appendInterpolation(_ binding: QueryBinding) {
      fragment += QueryFragment(binding)
    }
    /// A column, a call, a sub-select.
    public mutating func appendInterpolation(_ expression: some QueryExpression) {
      fragment += expression.queryFragment
    }
    /// All columns of a table, qualified, with commas.
    public mutating func appendInterpolation(_ columns: some Joinable) {
      fragment += columns.selection.map(\.fragment).joined(", ")
    }
    /// A row of expressions: its columns, with commas.
    public mutating func appendInterpolation(_ columns: some RowExpression) {
      fragment += columns.selection.map(\.fragment).joined(", ")
    }
    /// A row as a query: `SELECT 1 AS "id", …`.
    public mutating func appendInterpolation<Row: Table>(_ row: Row) {
      fragment += row.row.query.fragment
    }
    /// A query in parentheses: a list for `IN`, a table for `FROM`.
    @_disfavoredOverload
    public mutating func appendInterpolation(_ query: some SelectStatement) {
      fragment += "(\(query.part.fragment))"
    }
    /// A statement without parentheses: `EXPLAIN QUERY PLAN \(statement: Reminder.all)`.
    public mutating func appendInterpolation(statement: some Statement) {
      fragment += statement.part.fragment
    }
    /// A table's name; where it has a ``Table/tableAlias`` or ``Table/tableFragment``, what stands
    /// behind FROM.
    public mutating func appendInterpolation<T: Table>(_ table: T.Type) {
      fragment += T.reference(as: T.qualifiedName)
    }
    /// A value, bound.
    public mutating func appendInterpolation(bind value: some QueryBindable) {
      fragment += value.queryFragment
    }
    public mutating func appendInterpolation<V: QueryBindable>(bind value: V?) {
      fragment += value.queryFragment
    }
    /// A number, a date, a case of an enum, as with `bind`.
    @_disfavoredOverload
    public mutating func appendInterpolation(_ value: some QueryBindable) {
      appendInterpolation(bind: value)
    }
    @_disfavoredOverload
    @available(
      *, deprecated,
      message:
        "A string is bound as a value; say 'bind:' for that, 'quote:' for a name, 'raw:' for SQL"
    )
    public mutating func appendInterpolation(_ text: String?) { appendInterpolation(bind: text) }
    /// A value, bound as its representation stores it:
    /// `\(bind: date, as: Date.UnixTimeRepresentation.self)`.
    public mutating func appendInterpolation<V: ColumnRepresentation>(
      bind value: V.QueryOutput, as type: V.Type
    ) {
      fragment += QueryFragment(V.bind(value))
    }
    /// A name, or a string as a literal: `\(quote: "a'b", delimiter: .text)`.
    public mutating func appendInterpolation(
      quote text: String, delimiter: Delimiter = .identifier
    ) {
      switch delimiter {
      case .identifier: fragment.append(raw: quoted(identifier: text))
      case .text: fragment.append(raw: quoted(literal: text))
      }
    }
    /// SQL as it stands. The caller answers for what is in it.
    public mutating func appendInterpolation(raw sql: String) { appendLiteral(sql) }
  }
}
