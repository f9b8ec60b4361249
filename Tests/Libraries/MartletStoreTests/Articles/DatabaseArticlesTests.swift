import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

/// The examples of the articles on connections and databases.
@Suite struct DatabaseArticlesTests {
  @Test func connections() throws {
    let db = try Connection(location: .inMemory)
    try db.execute("CREATE TABLE points (x REAL, y REAL)")
    let insert = try db.prepare(sql: "INSERT INTO points VALUES (?, ?)")
    for x in 0..<3 {
      try insert.bind([.real(Double(x)), .real(0.5)])
      try insert.run()
    }
    let sum = try db.value("SELECT sum(x) FROM points")
    #expect(sum == 3.0)

    try db.transaction(.immediate) {
      try db.run("UPDATE points SET y = y + ?", .integer(1))
      try? db.savepoint {
        try db.run("DELETE FROM points")
        throw CancellationError()
      }
    }
    #expect(try db.value("SELECT count(*) FROM points WHERE y = 1.5") == 3)
  }

  @Test func migrations() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "library.db").path

    var migrator = Migrator()
    migrator.registerMigration("authors") { db in
      try #sql(
        """
        CREATE TABLE "authors" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL) STRICT
        """
      ).execute(db)
    }
    try migrator.migrate(path: path)
    migrator.parts.append(.counters(of: ["authors"]))
    try migrator.migrate(path: path)

    let database = try EmbeddedDatabase(path: path)
    defer { database.close() }
    try database.read { db in try db.checkSchema(Author.self) }
    try database.write { db in
      try Author.insert { Author.Draft(name: "Ada") }.execute(db)
    }
    let names = try database.read { db in try Author.select(\.name).fetchAll(db) }
    #expect(names == ["Ada"])
  }

  @Test func testing() throws {
    let db = try Library.database()
    let query = Book.where(\.isRead).select(\.title)
    let printed = query.query.fragment.prepare()
    #expect(printed.sql == #"SELECT "books"."title" FROM "books" WHERE "books"."isRead""#)
    #expect(try query.fetchAll(db) == ["Notes"])
    #expect(try db.dumpContent().hasPrefix("authors\n- 1|'Ada'"))
  }
}
