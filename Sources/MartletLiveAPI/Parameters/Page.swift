import MartletHTTP
import MartletLiveQueries
import MartletQueryBuilder
import MartletSQLite
import MartletStore

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
  /// Identifies the list in cursors.
  let fingerprint: UInt64
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
    var hash = FNV1a()
    hash.add(list)
    let limit = integer("limit", in: limits) ?? usual
    let cursor = try cursor()
    guard cursor.map({ $0.fingerprint == hash.value }) ?? true else { throw Page.foreign }
    return Page(limit: limit, cursor: cursor, fingerprint: hash.value)
  }
}

extension Page {
  fileprivate static let foreign = APIProblem(
    .invalidCursor,
    "The cursor belongs to another list, or to another order. Start again without a cursor.",
    errors: [FieldError(.parameter("cursor"), "expected a nextCursor of this list")])

  /// The condition for rows after the previous page, which are sorted by `keys`; `nil` for the
  /// first page.
  fileprivate func isNext(
    _ keys: [QueryFragment], descending: Bool
  ) throws(APIProblem) -> SQLQueryExpression<Bool>? {
    guard let cursor else { return nil }
    guard cursor.keys.count == keys.count else { throw Page.foreign }
    let values = cursor.keys.map { value -> QueryFragment in
      switch value {
      case .null: "NULL"
      case .integer(let value): "\(bind: value)"
      case .real(let value): "\(bind: value)"
      case .text(let value): "\(bind: value)"
      case .blob(let value): "\(bind: value)"
      }
    }
    // Row values are compared from the left, as ORDER BY does (https://sqlite.org/rowvalue.html).
    let order: QueryFragment = descending ? "<" : ">"
    return SQLQueryExpression(
      "((\(keys.joined(", "))) \(order) (\(values.joined(", "))))")
  }
}

extension LiveSource {
  /// A page of the rows of a query: `{"items": […], "nextCursor": …}`.
  ///
  /// The rows are sorted by `keys`, all ascending or all descending. The query should not have an
  /// order of its own, because that would take precedence. The combination of the keys must be
  /// unique, which the primary key as the last one ensures. None of them may be NULL: rows with
  /// NULL would only be on the first page.
  public init<Scope, Output, Picked>(
    _ request: Request, _ page: Page, of rows: Select<Scope, Output, Picked>,
    by keys: [any QueryExpressible], descending: Bool = false
  ) throws(APIProblem) {
    let fragments = keys.map(\.queryFragment)
    let next = try page.isNext(fragments, descending: descending)
    let query =
      rows
      .where { _ in next }
      .order { _ in return fragments.map { descending ? "\($0) DESC" : $0 } }
      // One more row than the page has shows whether there is a next page.
      .limit(page.limit + 1)
      .query(hiding: keys)
    let answer = PageQuery(
      segments: [{ _ in query }], keyCount: keys.count, limit: page.limit,
      fingerprint: page.fingerprint)
    self.init(request) { db, body in
      try db.writeJSON(answer, into: body)
      return true
    }
  }
}
