import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Synchronization
import Testing

@Table
private struct Item: Equatable {
  let id: Int
  var title = ""
  var price: Double?
  var kind: Kind?
  @Column(as: [String].JSONRepresentation.self) var tags: [String] = []

  enum Kind: Int, QueryBindable { case food = 1, tool }
}

private struct NotAllowed: Error, CustomStringConvertible {
  var description: String { "that is not allowed" }
}

@DatabaseFunction
private func exclaim(_ text: String) -> String { text + "!" }

@DatabaseFunction("repeated", isDeterministic: true, innocuous: true)
private nonisolated func repeatText(_ text: String, times count: Int = 2, by: String? = nil)
  -> String
{
  Array(repeating: text, count: count).joined(separator: by ?? "")
}

@DatabaseFunction
private func refuse(_ value: Int) throws -> Int {
  if value > 1 { throw NotAllowed() }
  return value
}

@DatabaseFunction(as: (([String].JSONRepresentation) -> Int).self)
private func tagCount(_ tags: [String]) -> Int { tags.count }

@DatabaseFunction
private func isValid(_ item: Item, strictly isStrict: Bool) -> Bool {
  !item.title.isEmpty && (!isStrict || item.price != nil)
}

@DatabaseFunction
private func describe(_ kind: Item.Kind?) -> String? { kind.map { "\($0)" } }

@DatabaseFunction(directOnly: true)
private var epoch: Date { Date(timeIntervalSince1970: 0) }

@DatabaseFunction
private func within(in name: String, for: Int) -> String { name + String(`for`) }

@DatabaseFunction
private func tooLarge() -> UInt64 { .max }

private struct Words {
  var separator = "-"

  @DatabaseFunction
  func joined(_ first: String, _ second: String) -> String { first + separator + second }

  @DatabaseFunction
  static func doubled(_ word: String) -> String { word + word }

  @DatabaseFunction
  var separatorMark: String { separator }
}

private final class Logger: Sendable {
  let lines = Mutex<[String]>([])

  @DatabaseFunction
  func log(_ line: String) { lines.withLock { $0.append(line) } }
}

@Suite("Swift functions in SQL")
struct FunctionsTests {
  private let db: Connection

  init() throws {
    db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE "items" ("id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL DEFAULT '',
      "price" REAL, "kind" INTEGER, "tags" TEXT NOT NULL DEFAULT '[]')
      """)
    try Item.insert {
      Item(id: 1, title: "a", price: 2, kind: .tool, tags: ["x", "y"])
      Item(id: 2, title: "b")
    }.execute(db)
  }

  @Test("A function is called with columns and values, using its labels and defaults")
  func calls() throws {
    db.add(function: $exclaim)
    db.add(function: $repeatText)
    #expect(try Item.select { $exclaim($0.title) }.fetchAll(db) == ["a!", "b!"])
    let query = Item.select {
      (
        $repeatText($0.title), $repeatText($0.title, times: $0.id + 1, by: ","),
        $repeatText("c", times: 1)
      )
    }
    let rows = try query.fetchAll(db)
    #expect(rows.map(\.0) == ["aa", "bb"])
    #expect(rows.map(\.1) == ["a,a", "b,b,b"])
    #expect(rows.map(\.2) == ["c", "c"])
    #expect(try Item.where { $exclaim($0.title) == "b!" }.fetchAll(db).map(\.id) == [2])
    // The function is deterministic and innocuous, so an index may use it.
    try db.execute("CREATE INDEX i ON items(repeated(title, 2, NULL))")
    #expect(throws: SQLiteError.self) { try db.execute("CREATE INDEX j ON items(exclaim(title))") }
  }

  @Test("An error thrown by a function reaches the caller with its message")
  func errors() throws {
    db.add(function: $refuse)
    #expect(try Values($refuse(1)).fetchOne(db) == 1)
    let error = #expect(throws: SQLiteError.self) {
      try Item.select { $refuse($0.id) }.fetchAll(db)
    }
    #expect(error?.message == "that is not allowed")
    #expect(error?.underlying is NotAllowed)
    let wrong = #expect(throws: SQLiteError.self) { try db.value("SELECT refuse(NULL)") }
    #expect(wrong?.message == "expected argument 1 of refuse to be Int, but it is NULL (null)")
    db.add(function: $tooLarge)
    let large = #expect(throws: SQLiteError.self) { try Values($tooLarge()).fetchOne(db) }
    #expect(large?.message.contains("does not fit") == true)
  }

  @Test("Arguments can have representations, be optional, or be whole rows")
  func types() throws {
    db.add(function: $tagCount)
    db.add(function: $within)
    #expect(try Values($within(in: "a", for: 1)).fetchOne(db) == "a1")
    db.add(function: $describe)
    db.add(function: $isValid)
    #expect(try Item.select { $tagCount($0.tags) }.fetchAll(db) == [2, 0])
    let kinds = try Item.select { $describe($0.kind) }.fetchAll(db)
    #expect(kinds == ["tool", nil])
    let food = try Values($describe(#bind(Item.Kind.food))).fetchAll(db)
    #expect(food == ["food"])
    #expect(try Item.select { $isValid($0, strictly: true) }.fetchAll(db) == [true, false])
    enum Other: AliasName {}
    #expect(
      try Item.as(Other.self).where { $isValid($0, strictly: false) }.fetchAll(db).map(\.id)
        == [1, 2])
  }

  @Test("A computed property is a function without arguments")
  func property() throws {
    db.add(function: $epoch)
    #expect(try Values($epoch).fetchOne(db) == Date(timeIntervalSince1970: 0))
    // A direct-only function must not be used in a view.
    try db.execute("CREATE VIEW v AS SELECT epoch()")
    #expect(throws: SQLiteError.self) { try db.value("SELECT * FROM v") }
  }

  @Test("Methods can be static, of a value, or of an object, which is held weakly")
  func methods() throws {
    let words = Words(separator: "+")
    db.add(function: words.$joined)
    db.add(function: Words.$doubled)
    db.add(function: words.$separatorMark)
    #expect(try Item.select { words.$joined($0.title, "z") }.fetchAll(db) == ["a+z", "b+z"])
    #expect(try Values(Words.$doubled("ha"), words.$separatorMark).fetchOne(db)! == ("haha", "+"))

    var logger: Logger? = Logger()
    let log = logger!.$log
    db.add(function: log)
    let line: Void? = try Values(log("one")).fetchOne(db)
    #expect(line != nil)
    #expect(logger!.lines.withLock { $0 } == ["one"])
    #expect(try db.value("SELECT log('two')") == .null)
    logger = nil
    let error = #expect(throws: SQLiteError.self) { try db.value("SELECT log('three')") }
    #expect(error?.message == "the object with the method log no longer exists")
  }

  @Test("A removed function is unknown")
  func removing() throws {
    db.add(function: $exclaim)
    db.remove(function: $exclaim)
    let error = #expect(throws: SQLiteError.self) { try Values($exclaim("a")).fetchOne(db) }
    #expect(error?.message.contains("exclaim") == true)
  }

  @Test("A trigger calls a function")
  func trigger() throws {
    let logger = Logger()
    db.add(function: logger.$log)
    try Item.createTemporaryTrigger(
      after: .update { old, new in
        Values(logger.$log(old.title + ">" + new.title))
      } when: { old, new in
        old.title != new.title
      }
    ).execute(db)
    try Item.find(1).update { $0.title = "c" }.execute(db)
    try Item.find(1).update { $0.price = 1 }.execute(db)
    #expect(logger.lines.withLock { $0 } == ["a>c"])
  }
}
