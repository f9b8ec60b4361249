import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Selection private struct Score: Equatable {
  var points: Int
  var player = ""
}

@Table private struct Word: Equatable { var text: String }

@Suite struct ValuesTests {
  private func database() throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute(#"CREATE TABLE "words" ("text" TEXT)"#)
    return db
  }

  /// ```swift
  /// Values { (1, "a"); (2, "b") }
  /// // VALUES (1, 'a'), (2, 'b')
  /// ```
  @Test func rows() throws {
    let isThird = true
    let rows = Values {
      for n in 1...2 { (n, "w\(n)") }
      if isThird { (3, "third") } else { (4, "none") }
    }
    expectSQL(
      rows, "VALUES (?, ?), (?, ?), (?, ?)",
      [.int(1), .text("w1"), .int(2), .text("w2"), .int(3), .text("third")])
    #expect(try rows.fetchAll(database()).map(\.1) == ["w1", "w2", "third"])
    let scores = Values {
      Score.Columns(points: 1, player: "Ann")
      Score(points: 2, player: "Bob")
    }
    #expect(
      try scores.fetchAll(database()) == [
        Score(points: 1, player: "Ann"), Score(points: 2, player: "Bob"),
      ])
    let union = Values { "a" }.union(
      Values {
        "b"; "a"
      })
    #expect(try union.fetchAll(database()) == ["a", "b"])
  }

  @Test func none() throws {
    let isThere = false
    let values = Values { if isThere { "word" } }
    #expect(values.query.isEmpty)
    let insert = Word.insert {
      $0.text
    } select: {
      values
    }
    #expect(insert.query.isEmpty)
    #expect(Select(values).query.isEmpty)
    try insert.execute(database())
  }

  /// ```swift
  /// Select(Values { (2, "b"); (1, "a") }).where { $0 > 1 }.order(by: \.1)
  /// // SELECT "column1", "column2" FROM (VALUES (2, 'b'), (1, 'a')) WHERE ("column1" > 1)
  /// //   ORDER BY "column2"
  /// ```
  @Test func select() throws {
    let db = try database()
    let query = Select(
      Values {
        (2, "b"); (1, "a")
      }
    ).where { n, _ in n > 1 }.order(by: \.1)
    expectSQL(
      query,
      """
      SELECT "column1", "column2" FROM (VALUES (?, ?), (?, ?)) WHERE ("column1" > ?) \
      ORDER BY "column2"
      """, [.int(2), .text("b"), .int(1), .text("a"), .int(1)])
    #expect(try query.fetchAll(db).map(\.1) == ["b"])
    let mixed = Select(
      Values {
        (1, Score.Columns(points: 10, player: "Ann"), true)
        (2, Score.Columns(points: 20, player: "Bob"), true)
      }
    ).where(\.2).order { _, score, _ in score.points.desc() }
      .select { _, score, _ in (score.player, score) }
    expectSQL(
      mixed,
      """
      SELECT "column3", "column2", "column3" FROM (VALUES (?, ?, ?, ?), (?, ?, ?, ?)) \
      WHERE "column4" ORDER BY "column2" DESC
      """,
      [
        .int(1), .int(10), .text("Ann"), .bool(true), .int(2), .int(20), .text("Bob"), .bool(true),
      ])
    #expect(try mixed.fetchAll(db).map(\.1.points) == [20, 10])
    #expect(
      try Select(
        Values {
          "a"; "b"
        }
      ).where { $0 != "a" }.fetchAll(db) == ["b"])
    let insert = Word.insert {
      $0.text
    } select: {
      Values {
        "one"; "two"
      }
    }
    try insert.execute(db)
    #expect(try Word.all.fetchAll(db) == [Word(text: "one"), Word(text: "two")])
  }

  @Test func withoutATable() throws {
    expectSQL(Select(1), "SELECT ?", [.int(1)])
    let five: Int? = try Select(#bind(2) + 3).fetchOne(database())
    #expect(five == 5)
    let rows: [(Int, String, Bool)] = try Values(1, "a", true).fetchAll(database())
    #expect(rows.map { "\($0) \($1) \($2)" } == ["1 a true"])
  }

  /// An interpolated row is a query; a row of expressions is its columns.
  @Test func inSQL() throws {
    let score = Score(points: 1, player: "Ann")
    expectSQL(
      #sql("\(score)", as: Score.self), #"SELECT ? AS "points", ? AS "player""#,
      [.int(1), .text("Ann")])
    let columns = Score.Columns(points: Word.columns.text.length(), player: Word.columns.text)
    expectSQL(
      #sql("SELECT \(columns) FROM \(Word.self)", as: Score.self),
      #"SELECT length("words"."text"), "words"."text" FROM "words""#)
  }
}
