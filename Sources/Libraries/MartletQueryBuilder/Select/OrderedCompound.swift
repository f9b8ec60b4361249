/// A compound with an order, a limit or an offset:
/// `SELECT * FROM (…) AS "rows" ORDER BY … LIMIT …`.
public struct OrderedCompound<Output, Picked>: SelectStatement {
  private let compound: Query
  private var orders: [QueryFragment] = []
  private var count: QueryFragment?
  private var offset: QueryFragment?
  public let decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Output

  init(_ compound: Compound<Output, Picked>) {
    self.compound = compound.query
    decode = compound.decode
  }

  public var query: Query {
    guard !compound.isEmpty else { return compound }
    var sql: QueryFragment = "SELECT * FROM (\(compound.fragment)) AS \(quote: qualifier)"
    if !orders.isEmpty {
      sql += " ORDER BY \(orders.joined(", "))"
      // A term names a column of the result, and SQLite would take the first one of that name.
      let names = compound.columns.map(\.name)
      if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
        sql +=
          " \(QueryBinding.invalid(reason: "a compound with two columns \(twice) cannot be ordered: give one of them another name"))"
      }
    }
    // SQLite has no OFFSET without LIMIT. A negative limit means no limit.
    if let count = count ?? offset.map({ _ in "-1" }) { sql += " LIMIT \(count)" }
    if let offset { sql += " OFFSET \(offset)" }
    return Query(sql, columns: compound.columns)
  }

  private var qualifier: String { "rows" }

  /// Limits the number of rows: `LIMIT ? OFFSET ?`. `nil` means no limit; without `offset` an
  /// earlier offset stays.
  public func limit(_ count: Int?, offset: Int? = nil) -> Self {
    var copy = self
    copy.count = count?.queryFragment
    if let offset { copy.offset = offset.queryFragment }
    return copy
  }
}

extension OrderedCompound where Output: Table {
  /// Orders the rows by columns of the result. Further calls add terms.
  public func order(@TermBuilder by terms: (Output.TableColumns) -> [QueryFragment]) -> Self {
    var copy = self
    copy.orders += terms(Output.TableColumns(qualifier: qualifier))
    return copy
  }
}

extension OrderedCompound: QueryPart {
  var frozen: Query { query }
  var isOrdered: Bool { true }
}

extension Compound {
  /// Limits the number of rows: `LIMIT ? OFFSET ?`. `nil` means no limit.
  public func limit(_ count: Int?, offset: Int? = nil) -> OrderedCompound<Output, Picked> {
    OrderedCompound(self).limit(count, offset: offset)
  }
}

extension Compound where Output: Table {
  /// Orders the rows by columns of the result: `.order { ($0.day.desc(), $0.id) }`.
  public func order(
    @TermBuilder by terms: (Output.TableColumns) -> [QueryFragment]
  ) -> OrderedCompound<Output, Picked> { OrderedCompound(self).order(by: terms) }
}
