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

/// Other programs, which do not have this one's functions, read what is stored in the file.
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

  @Test("A persistent trigger cannot call a Swift function; a temporary one can")
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

  @Test("A condition of a persistent trigger and a persistent view cannot call a Swift function")
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
