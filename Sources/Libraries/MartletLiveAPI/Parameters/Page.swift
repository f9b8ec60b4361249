import MartletHTTP
import MartletLiveQueries
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// One page of a list: at most ``limit`` rows after the last row of the previous page
/// (`?limit=20&cursor=…`).
///
/// ```swift
/// Route.read("/books") { request, _ in
///   var parameters = QueryParameters.ofRead(request)
///   let page = try parameters.page(of: "books")
///   try parameters.finish()
///   return try LiveSource(request, page, of: Book.all, by: [Book.columns.title, Book.columns.id])
/// }
/// ```
public struct Page: Sendable {
  /// The maximum number of rows of the page.
  public let limit: Int
  /// The end of the previous page; `nil` for the first page.
  public let cursor: PageCursor?
  /// The name of the list and of everything that determines its rows.
  let list: String
}

extension QueryParameters {
  /// Reads the parameters `limit` and `cursor`.
  ///
  /// `list` identifies the list. It must include everything that determines its rows and their
  /// order, such as the values of filters. A cursor of another list is refused with
  /// `invalid-cursor`, because its position means nothing in this list.
  public mutating func page(
    of list: String, limits: ClosedRange<Int> = 1...100, default usual: Int = 20
  ) throws(APIProblem) -> Page {
    let limit = integer("limit", in: limits) ?? usual
    return Page(
      // The query reads one row more than the page, to detect a next page.
      limit: min(max(limit, limits.lowerBound), limits.upperBound, .max - 1),
      cursor: try cursor(), list: list)
  }
}

extension Page {
  fileprivate static let foreign = APIProblem(
    .invalidCursor,
    "The cursor belongs to another list, or to another order. Start again without a cursor.",
    errors: [FieldError(.parameter("cursor"), "expected a nextCursor of this list")])

  /// The end of the previous page if the cursor belongs to this list and order, and the fingerprint
  /// for the next cursor.
  fileprivate func position(
    _ keys: [QueryFragment], descending: Bool
  ) throws(APIProblem) -> (keys: [QueryBinding]?, fingerprint: UInt64) {
    var hash = FNV1a()
    hash.add(list)
    for key in keys { hash.add(key.prepare().sql) }
    hash.add(descending ? "DESC" : "ASC")
    guard let cursor else { return (nil, hash.value) }
    guard cursor.fingerprint == hash.value, cursor.keys.count == keys.count else {
      throw Page.foreign
    }
    return (cursor.keys.map(\.binding), hash.value)
  }
}

/// The condition for rows after the one with `values`, in the order of `keys`.
///
/// NULL is the smallest value (https://sqlite.org/datatype3.html#sort_order), so ascending rows
/// with NULL come first, descending ones last. `mayBeNull` says for each key whether it can be
/// NULL.
private func isAfter(
  _ values: [QueryBinding], _ keys: [QueryFragment], mayBeNull: [Bool], descending: Bool
) -> QueryFragment {
  let order: QueryFragment = descending ? "<" : ">"
  let hasNull = values.contains(.null)
  if !hasNull, !descending || !mayBeNull.contains(true) {
    // Row values are compared from the left, as ORDER BY does (https://sqlite.org/rowvalue.html).
    // An index on the keys finds the first row.
    let values = values.map { "\($0)" as QueryFragment }
    return "((\(keys.joined(", "))) \(order) (\(values.joined(", "))))"
  }
  // The first keys are equal, and the next one comes after its value.
  let cases = keys.indices.compactMap { index -> QueryFragment? in
    let key = keys[index]
    let next: QueryFragment
    switch (values[index], descending) {
    case (.null, true): return nil
    case (.null, false): next = "(\(key) IS NOT NULL)"
    case (let value, true) where mayBeNull[index]:
      next = "(\(key) < \(value) OR \(key) IS NULL)"
    case (let value, true): next = "(\(key) < \(value))"
    case (let value, false): next = "(\(key) > \(value))"
    }
    let equal = (0..<index).map { "(\(keys[$0]) IS \(values[$0]))" as QueryFragment }
    return "(\((equal + [next]).joined(" AND ")))"
  }
  return cases.isEmpty ? "0" : "(\(cases.joined(" OR ")))"
}

extension LiveSource {
  /// A page of the rows of a query: `{"items": […], "nextCursor": …}`.
  ///
  /// The rows are sorted by `keys`, all ascending or all descending. The combination of the keys
  /// must be unique, which the primary key as the last one ensures. The text of the keys of one row
  /// must not exceed 4,000 bytes, because they become the cursor.
  ///
  /// The rows of a grouped query are its groups, and each key must have one value in a group: a
  /// column of GROUP BY, one that depends on it, or an aggregate. All groups are computed for each
  /// page.
  ///
  /// Throws a ``PageQueryError`` if there are no keys, or if the query has an order, a limit or
  /// DISTINCT of its own: those would apply to the page and not to the list.
  public init<Scope, Output, Picked>(
    _ request: Request, _ page: Page, of rows: Select<Scope, Output, Picked>,
    by keys: [any QueryExpressible], descending: Bool = false
  ) throws {
    let answer = try PlacedPage(page, by: keys, descending).query(of: rows)
    self.init(request) { db, body in
      try db.writeJSON(answer, into: body)
      return true
    }
  }

  /// A page of the rows of a query that depends on the time.
  ///
  /// `rows`, `keys` and `descending` are as in ``init(_:_:of:by:descending:)``, `nextChange` and
  /// the argument of `rows` as in ``init(_:clock:nextChange:rows:)``. The ``PageQueryError`` of a
  /// query with a clause of its own is thrown when the page is read.
  ///
  /// ```swift
  /// return try LiveSource(
  ///   request, page, clock: context.clock,
  ///   nextChange: { now, db in
  ///     try Loan.where { $0.due > now }.select { $0.due.min() }.fetchOne(db) ?? nil
  ///   },
  ///   of: { now in Loan.where { $0.due <= now } },
  ///   by: [Loan.columns.due, Loan.columns.id])
  /// ```
  public init<Scope, Output, Picked>(
    _ request: Request, _ page: Page, clock: Clock,
    nextChange: @escaping @Sendable (_ now: Instant, _ db: Connection) throws -> Instant?,
    of rows: @escaping @Sendable (_ now: Instant) throws -> Select<Scope, Output, Picked>,
    by keys: [any QueryExpressible], descending: Bool = false
  ) throws {
    let placed = try PlacedPage(page, by: keys, descending)
    self.init(request, nextChange: { db in try nextChange(clock.now(), db) }) { db, body in
      try db.writeJSON(placed.query(of: rows(clock.now())), into: body)
      return true
    }
  }
}

/// A page and the order of its list: the query of any rows in that order, after the previous page.
private struct PlacedPage: Sendable {
  private let limit: Int
  private let keys: [QueryFragment]
  private let isDescending: Bool
  private let fingerprint: UInt64
  /// The condition for the rows after the previous page; `nil` for the first page.
  private let next: QueryFragment?

  init(_ page: Page, by keys: [any QueryExpressible], _ isDescending: Bool) throws {
    guard !keys.isEmpty else { throw PageQueryError.hasNoKeys }
    let fragments = keys.map(\.queryFragment)
    let position = try page.position(fragments, descending: isDescending)
    next = position.keys.map {
      isAfter($0, fragments, mayBeNull: keys.map { canBeNull($0) }, descending: isDescending)
    }
    limit = page.limit
    self.keys = fragments
    self.isDescending = isDescending
    fingerprint = position.fingerprint
  }

  func query<Scope, Output, Picked>(of rows: Select<Scope, Output, Picked>) throws -> PageQuery {
    if let clause = rows.clauseOfWhole { throw PageQueryError.hasClause(clause) }
    let next = next.map { SQLQueryExpression<Bool>($0) }
    let query =
      (rows.isGrouped ? rows.having { _ in next } : rows.where { _ in next })
      .order { _ in return keys.map { isDescending ? "\($0) DESC" : $0 } }
      // One more row than the page has shows whether there is a next page.
      .limit(limit + 1)
      .query(hiding: keys.map { SQLQueryExpression<Bool>($0) })
    return PageQuery(
      segments: [{ _ in query }], keyCount: keys.count, limit: limit, fingerprint: fingerprint)
  }
}

/// Whether an expression is optional, so that it can be NULL.
private func canBeNull<E: QueryExpressible>(_ key: E) -> Bool {
  E.QueryValue.self != E.QueryValue.Unwrapped.self
}
