import Foundation
import Martlet

@Table("shelves") struct Shelf { let id: Int, name: String }
@Table struct Book {
  let id: Int
  var shelfID: Int
  var title: String
  var isRead = false
}

let noShelf = ProblemType("no-shelf", .conflict, "There is no such shelf")

var migrator = Migrator()
migrator.registerMigration("shelves and books") { db in
  try db.execute(
    """
    CREATE TABLE shelves (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
    INSERT INTO shelves (name) VALUES ('Novels'), ('Atlases');
    CREATE TABLE books (
      id INTEGER PRIMARY KEY, shelfID INTEGER NOT NULL REFERENCES shelves (id),
      title TEXT NOT NULL, isRead INTEGER NOT NULL) STRICT;
    """)
}

let routes: [Route] = [
  .read("/shelves") { request, _ in LiveSource(request, rows: Shelf.order(by: \.name)) },
  .read("/books/{id}") { request, _ in try LiveSource(request, row: Book.find(request.id("id"))) },
  .write(.post, "/books") { request, _ in
    let draft = try Body.read(request) { body in
      Book.Draft(
        shelfID: body.required("shelf", .integer(1...1_000)),
        title: body.required("title", .text(1...200)))
    }
    return WriteRoute.Work { db in
      guard try Shelf.find(draft.shelfID).fetchOne(db) != nil else {
        throw APIProblem(noShelf, "There is no shelf \(draft.shelfID).")
      }
      let id = try Book.insert { draft }.returning(\.id).fetchOne(db)!
      return .created(location: "/books/\(id)", WriteRoute.row(Book.find(id)))
    }
  },
  .write(.put, "/books/{id}/read") { request, _ in
    let book = Book.find(try request.id("id"))
    return WriteRoute.Work(current: WriteRoute.row(book)) { db in
      try book.update { $0.isRead = true }.execute(db)
      return .changed(WriteRoute.row(book))
    }
  },
  .bundle("/live"),
]

var service = Service(path: CommandLine.arguments[1], migrator: migrator, routes: routes)
service.keys = Gate.Settings()
service.problems = [noShelf]
service.tables = [Shelf.self, Book.self]
guard CommandLine.arguments.last == "key" else {
  service.run { print(try $0.database.read { try Shelf.all.fetchCount($0) }, "shelves") }
}
print(try service.createKey("first", Rights(.write)))
