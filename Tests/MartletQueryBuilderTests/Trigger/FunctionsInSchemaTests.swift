import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Table private struct Jotting {
  let id: Int
  var text = ""
}
@Table private struct ShortJotting {
  let text: String
}
@DatabaseFunction private func clipped(_ text: String) -> String { String(text.prefix(3)) }

/// What is stored in the file is read by programs that do not have this one's functions.
@Suite struct FunctionsInSchemaTests {
  private func database() throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute("CREATE TABLE jottings (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT")
    db.add(function: $clipped)
    return db
  }

  private func refusal(of statement: some Statement<Never>) throws -> String {
    let db = try database()
    let error = #expect(throws: (any Error).self) { try statement.execute(db) }
    return error.map { "\($0)" } ?? ""
  }

  @Test("A persistent trigger calls no function in Swift, a temporary one may")
  func triggers() throws {
    let operation = TriggerOperation<Jotting>.insert { new in
      Jotting.find(new.id).update { $0.text = $clipped(new.text) }
    }
    #expect(
      try refusal(of: Jotting.createTrigger("clip", after: operation)).contains("\"clipped\""))
    let db = try database()
    try Jotting.createTemporaryTrigger(after: operation).execute(db)
    try Jotting.insert { Jotting.Draft(text: "Monday") }.execute(db)
    #expect(try Jotting.select(\.text).fetchAll(db) == ["Mon"])
  }

  @Test("The same of a condition, and of a view")
  func others() throws {
    let trigger = Jotting.createTrigger(
      "clip",
      after: .insert { new in
        Jotting.find(new.id).update { $0.text = "x" }
      } when: { new in
        $clipped(new.text) == "Mon"
      })
    #expect(try refusal(of: trigger).contains("\"clipped\""))
    let query = Jotting.select { ShortJotting.Columns(text: $clipped($0.text)) }
    #expect(try refusal(of: ShortJotting.createView(as: query)).contains("\"clipped\""))
    let db = try database()
    try ShortJotting.createTemporaryView(as: query).execute(db)
    try Jotting.insert { Jotting.Draft(text: "Monday") }.execute(db)
    #expect(try ShortJotting.select(\.text).fetchAll(db) == ["Mon"])
  }
}
