// Importing these three must not make any name ambiguous.
import Dispatch
import Foundation
import Martlet

@Table
struct Plant: Equatable {
  let id: Int
  var name = ""  // a comment after a default
  var kind: Kind = .tree
  @Column(as: Date.UnixTimeRepresentation.self) var planted: Date?
  var place = Place()

  enum Kind: String, QueryBindable { case tree, herb }
}

@Selection
struct Place: Equatable {
  var bed = 1
  var row: Int?
}

@DatabaseFunction
nonisolated func shout(_ text: String) -> String { text.uppercased() + "!" }

@main
enum App {
  static func main() async throws {
    let path = NSTemporaryDirectory() + "scratch-\(UUID().uuidString).db"
    defer {
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: path + suffix)
      }
    }
    var migrator = Migrator()
    migrator.registerMigration("plants") { db in
      try #sql(
        """
        CREATE TABLE "plants" (
          "id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, "kind" TEXT NOT NULL, "planted" INTEGER,
          "bed" INTEGER NOT NULL, "row" INTEGER) STRICT
        """
      ).execute(db)
      try db.checkSchema(Plant.self)
    }
    try migrator.migrate(path: path)
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.add(function: $shout)
      LiveQueries.prepare(db)
    }
    let database = try EmbeddedDatabase(path: path, configuration: configuration)
    defer { database.close() }

    @FetchAll(Plant.order(by: \.name).select { $shout($0.name) }, database: database) var names
    try await database.write { db in
      try Plant.insert {
        Plant.Draft(name: "thyme", kind: .herb, place: Place(row: 2))
        Plant.Draft(name: "ash")
      }.execute(db)
    }
    try await $names.load()
    guard names == ["ASH!", "THYME!"] else { fatalError("\(names)") }
    print("a user's package works: \(names.joined(separator: " "))")
  }
}
