import MartletHTTP
import MartletLiveQueries
import MartletQueryBuilder
import MartletSQLite
import MartletStore

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
  /// A result larger than `MartletStore.Settings.resultBytes` is refused. For long lists use
  /// a ``Page``.
  public init(_ request: Request, rows statement: some Statement) {
    let page = PageQuery(all: statement.query)
    self.init(request) { db, body in
      try db.writeJSON(page, into: body)
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
