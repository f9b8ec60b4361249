import MartletHTTP
import MartletLiveQueries
import MartletQueryBuilder
import MartletSQLite
import MartletStore

extension LiveSource {
  /// The first row of a statement as an object; 404 where there is none.
  ///
  /// ```swift
  /// Route.read("/books/{id}") { request, _ in try LiveSource(request, row: Book.find(request.id("id"))) }
  /// ```
  public init(_ request: Request, row statement: some Statement) {
    self.init(request, write: WriteRoute.row(statement))
  }

  /// All rows of a statement: `{"items": […], "nextCursor": null}`. Pages of a long list are ``PageQuery``'s: a result that is
  /// larger than ``EmbeddedDatabase/Settings/resultBytes`` is refused.
  public init(_ request: Request, rows statement: some Statement) {
    let page = PageQuery(all: statement.query)
    self.init(request) { db, body in
      try db.writeJSON(page, into: body)
      return true
    }
  }
}

extension WriteRoute {
  /// How the row of a change is read: what `GET` of its URL answers.
  public static func row(_ statement: some Statement) -> Current {
    let query = statement.query
    return { db, body in try db.writeJSONObject(query, into: body) }
  }
}
