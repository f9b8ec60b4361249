import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Table private struct Step: Equatable {
  let id: Int
  var name = ""
}

@Suite struct RowCursorTests {
  private func database() throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute(#"CREATE TABLE "steps" ("id" INTEGER PRIMARY KEY, "name" TEXT)"#)
    try db.seed {
      Step(id: 1, name: "b")
      Step.Draft(name: "A")
      Step.Draft(name: "c")
    }
    return db
  }

  @Test func oneByOne() throws {
    let db = try database()
    let cursor = try Step.order(by: \.id).select(\.name).fetchCursor(db)
    #expect(try cursor.next() == "b")
    #expect(try cursor.next() == "A")
    #expect(try cursor.next() == "c")
    #expect(try cursor.next() == nil)
    #expect(try cursor.next() == nil)
    #expect(try Step.none.fetchCursor(db).next() == nil)
    try db.run("UPDATE steps SET name = NULL WHERE id = 2")
    let broken = try Step.order(by: \.id).fetchCursor(db)
    #expect(try broken.next()?.id == 1)
    #expect(throws: RowDecodingError.self) { try broken.next() }
  }

  @Test func byKey() throws {
    let db = try database()
    #expect(try Step.find(db, key: 3).name == "c")
    #expect(throws: NotFound.self) { try Step.find(db, key: 9) }
  }

  /// Either all seeds are inserted or none.
  @Test func seedsTogether() throws {
    let db = try database()
    #expect(throws: SQLiteError.self) {
      try db.seed {
        Step(id: 7)
        Step.Draft(id: 1, name: "taken")
      }
    }
    #expect(try Step.fetchAllIDs(db) == [1, 2, 3])
  }

  @Test func completions() throws {
    let db = try database()
    try db.inTransaction {
      try Step.delete().execute(db)
      return .rollback
    }
    try db.inTransaction(.immediate) {
      try db.inSavepoint {
        try Step.find(1).delete().execute(db)
        return .rollback
      }
      try Step.find(2).delete().execute(db)
      return .commit
    }
    #expect(try Step.fetchAllIDs(db) == [1, 3])
  }

  @Test func collation() throws {
    let db = try database()
    try db.add(collation: .caseInsensitive)
    let names = Step.order { $0.name.collate(Collation(rawValue: "caseInsensitive")) }.select(
      \.name)
    #expect(try names.fetchAll(db) == ["A", "b", "c"])
    try db.remove(collation: .caseInsensitive)
  }
}

extension Step {
  fileprivate static func fetchAllIDs(_ db: Connection) throws -> [Int] {
    try order(by: \.id).select(\.id).fetchAll(db)
  }
}
