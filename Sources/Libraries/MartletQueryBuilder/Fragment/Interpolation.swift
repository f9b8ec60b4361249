/// String interpolation of a ``QueryFragment`` and of `#sql`.
///
/// Fragments, expressions, tables and statements are inserted as SQL; a Swift value is bound. A
/// plain Swift string is bound too, with a warning: write `bind`, `quote` or `raw` to say what it
/// is. Do not interpolate inside quotes of SQL; `#sql` rejects it.
///
/// ```swift
/// #sql("SELECT \(Reminder.columns) FROM \(Reminder.self) WHERE \(Reminder.id) = \(bind: id)")
/// // SELECT "reminders"."id", … FROM "reminders" WHERE "reminders"."id" = ?
/// ```
extension QueryFragment: ExpressibleByStringInterpolation {
  public init(stringLiteral sql: String) { self.init(raw: sql) }
  public init(stringInterpolation: Interpolation) { self = stringInterpolation.fragment }

  /// The quotation marks around a text.
  public enum Delimiter: Sendable {
    /// `"title"`: the name of a table, a column or a trigger.
    case identifier
    /// `'title'`: a string.
    case text
  }

  /// The interpolations that SQL accepts.
  public struct Interpolation: StringInterpolationProtocol {
    var fragment = QueryFragment()

    /// Reserves capacity for the segments.
    public init(literalCapacity: Int, interpolationCount: Int) {
      fragment.segments.reserveCapacity(interpolationCount * 2 + 1)
    }
    /// Appends SQL as it is.
    public mutating func appendLiteral(_ sql: String) {
      fragment.append(raw: sql)
      if QueryFragment.isSelect(in: sql) { fragment.traits.insert(.select) }
    }
    /// Inserts a fragment.
    public mutating func appendInterpolation(_ fragment: QueryFragment) {
      self.fragment += fragment
    }
    /// Binds a value.
    public mutating func appendInterpolation(_ binding: QueryBinding) {
      fragment += QueryFragment(binding)
    }
    /// Inserts an expression: a column, a call, a subquery.
    public mutating func appendInterpolation(_ expression: some QueryExpression) {
      fragment += expression.queryFragment
    }
    /// Inserts all columns of a table, qualified and separated by commas.
    public mutating func appendInterpolation(_ columns: some Joinable) {
      fragment += columns.selection.map(\.fragment).joined(", ")
    }
    /// Inserts the columns of a row of expressions, separated by commas.
    public mutating func appendInterpolation(_ columns: some RowExpression) {
      fragment += columns.selection.map(\.fragment).joined(", ")
    }
    /// Inserts a row as a query: `SELECT ? AS "id", …`.
    public mutating func appendInterpolation<Row: Table>(_ row: Row) {
      fragment += row.row.query.fragment
    }
    /// Inserts a query in parentheses, as a list for `IN` or a table for `FROM`.
    @_disfavoredOverload
    public mutating func appendInterpolation(_ query: some SelectStatement) {
      fragment += "(\(query.part.fragment))"
    }
    /// Inserts a statement without parentheses: `EXPLAIN QUERY PLAN \(statement: Reminder.all)`.
    public mutating func appendInterpolation(statement: some Statement) {
      fragment += statement.part.fragment
    }
    /// Inserts a table's name, or its FROM clause if it has a ``Table/tableAlias`` or
    /// ``Table/tableFragment``.
    public mutating func appendInterpolation<T: Table>(_ table: T.Type) {
      fragment += T.reference(as: T.qualifiedName)
    }
    /// Binds a value.
    public mutating func appendInterpolation(bind value: some QueryBindable) {
      fragment += value.queryFragment
    }
    /// Binds a value, or NULL for `nil`.
    public mutating func appendInterpolation<V: QueryBindable>(bind value: V?) {
      fragment += value.queryFragment
    }
    /// Binds a number, a date, or a case of an enum, like `bind`.
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
    /// Binds a plain string, with a warning that asks for `bind:`, `quote:` or `raw:`.
    public mutating func appendInterpolation(_ text: String?) { appendInterpolation(bind: text) }
    /// Binds a value in the given representation:
    /// `\(bind: date, as: Date.UnixTimeRepresentation.self)`.
    public mutating func appendInterpolation<V: ColumnRepresentation>(
      bind value: V.QueryOutput, as type: V.Type
    ) {
      fragment += QueryFragment(V.bind(value))
    }
    /// Inserts a quoted name, or a string literal: `\(quote: "a'b", delimiter: .text)`.
    public mutating func appendInterpolation(
      quote text: String, delimiter: Delimiter = .identifier
    ) {
      switch delimiter {
      case .identifier: fragment.append(raw: quoted(identifier: text))
      case .text: fragment.append(raw: quoted(literal: text))
      }
    }
    /// Inserts SQL as it is. The caller is responsible for its safety.
    public mutating func appendInterpolation(raw sql: String) { appendLiteral(sql) }
  }
}
