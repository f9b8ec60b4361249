import MartletHTTP
import MartletLiveQueries
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

extension LiveSource {
  /// The first row of a statement as a JSON object; 404 if there is no row.
  ///
  /// ```swift
  /// Route.read("/books/{id}") { request, _ in
  ///   try LiveSource(request, row: Book.find(request.id("id")))
  /// }
  /// ```
  public init(_ request: Request, row statement: some Statement) {
    self.init(request, write: WriteRoute.row(statement))
  }

  /// All rows of a statement: `{"items": […], "nextCursor": null}`.
  ///
  /// A result larger than `Configuration.resultBytes` is refused. For long lists use
  /// a ``Page``.
  public init(_ request: Request, rows statement: some Statement) {
    let page = PageQuery(all: statement.query)
    self.init(request) { db, body in
      try db.writeJSON(page, into: body)
      return true
    }
  }

  /// The first row of a statement that depends on the time, as ``init(_:row:)`` writes it.
  ///
  /// `nextChange` and the argument of `row` are as in ``init(_:clock:nextChange:rows:)``.
  public init<Row: Statement>(
    _ request: Request, clock: Clock,
    nextChange: @escaping @Sendable (_ now: Instant, _ db: Connection) throws -> Instant?,
    row: @escaping @Sendable (_ now: Instant) throws -> Row
  ) {
    self.init(request, nextChange: { db in try nextChange(clock.now(), db) }) { db, body in
      try WriteRoute.row(row(clock.now()))(db, body)
    }
  }

  /// All rows of a statement that depends on the time, as ``init(_:rows:)`` writes them.
  ///
  /// Each time that the result is read, `rows` gets the current time of `clock`. `nextChange`
  /// returns the next instant at which the result changes without a commit; an event stream sends
  /// the new result then.
  ///
  /// ```swift
  /// Route.read("/loans/overdue") { request, context in
  ///   LiveSource(
  ///     request, clock: context.clock,
  ///     nextChange: { now, db in
  ///       try Loan.where { $0.due > now }.select { $0.due.min() }.fetchOne(db) ?? nil
  ///     },
  ///     rows: { now in Loan.where { $0.due <= now }.order(by: \.due) })
  /// }
  /// ```
  public init<Rows: Statement>(
    _ request: Request, clock: Clock,
    nextChange: @escaping @Sendable (_ now: Instant, _ db: Connection) throws -> Instant?,
    rows: @escaping @Sendable (_ now: Instant) throws -> Rows
  ) {
    self.init(request, nextChange: { db in try nextChange(clock.now(), db) }) { db, body in
      try db.writeJSON(PageQuery(all: rows(clock.now()).query), into: body)
      return true
    }
  }
}

extension WriteRoute {
  /// Reads the row of a change, as the `GET` of its URL does.
  public static func row(_ statement: some Statement) -> Current {
    let query = statement.query
    return { db, body in try db.writeJSONObject(query, into: body) }
  }
}
