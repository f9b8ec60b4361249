import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore

/// A table with a column for a document that is itself a table, so that key paths reach its
/// members.
@Table
struct Crate: Equatable {
  let id: Int
  @Column(as: Label.JSONRepresentation.self) var label: Label
  @Column(as: [Label].JSONRepresentation.self) var others: [Label] = []
  @Column(as: [String: Int].JSONRepresentation.self) var sizes: [String: Int] = [:]
  @Column(as: [Int].JSONRepresentation?.self) var marks: [Int]?
}

@Table
struct Label: Codable, Equatable {
  var text = ""
  var isRed = false
  @Column(as: [Int].JSONRepresentation.self) var codes: [Int] = []
  var maker: Maker?
  var weight: Double?
}

@Table
struct Maker: Codable, Equatable {
  var name = ""
  @Column("a place") var place: String?
}

func crateDatabase() throws -> Connection {
  let db = try Connection(location: .inMemory)
  try db.execute(
    """
    CREATE TABLE "crates" ("id" INTEGER PRIMARY KEY, "label" TEXT NOT NULL, "others" TEXT NOT NULL,
      "sizes" TEXT NOT NULL, "marks" TEXT) STRICT
    """)
  try Crate.insert {
    Crate(
      id: 1,
      label: Label(
        text: "it's", isRed: true, codes: [4, 5, 6], maker: Maker(name: "Ada"), weight: 1.5),
      others: [Label(text: "p"), Label(text: "q", isRed: true)], sizes: ["x": 1, "y z": 2],
      marks: [7])
    Crate(id: 2, label: Label(text: "two"))
  }.execute(db)
  return db
}
