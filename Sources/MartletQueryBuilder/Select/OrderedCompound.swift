/// The rows of a compound in an order of their own, or so many of them.
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
    if !orders.isEmpty { sql += " ORDER BY \(orders.joined(", "))" }
    // SQLite has no OFFSET alone.
    if let count = count ?? offset.map({ _ in "-1" }) { sql += " LIMIT \(count)" }
    if let offset { sql += " OFFSET \(offset)" }
    return Query(sql, columns: compound.columns)
  }

  private var qualifier: String { "rows" }

  /// So many rows at most; `nil` is any number.
  public func limit(_ count: Int?, offset: Int? = nil) -> Self {
    var copy = self
    copy.count = count?.queryFragment
    if let offset { copy.offset = offset.queryFragment }
    return copy
  }
}

extension OrderedCompound where Output: Table {
  /// By columns of the result.
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
  /// So many rows at most; `nil` is any number.
  public func limit(_ count: Int?, offset: Int? = nil) -> OrderedCompound<Output, Picked> {
    OrderedCompound(self).limit(count, offset: offset)
  }
}

extension Compound where Output: Table {
  /// By columns of the result: `.order { ($0.day.desc(), $0.id) }`.
  public func order(
    @TermBuilder by terms: (Output.TableColumns) -> [QueryFragment]
  ) -> OrderedCompound<Output, Picked> { OrderedCompound(self).order(by: terms) }
}
