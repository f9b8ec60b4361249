import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Table private struct Bead: Equatable {
  let id: Int
  var title = ""
  var color = 0
}
@Table("beads") private struct Hue: Equatable {
  var color = 0
}
@Table("beads", schema: "main") private struct Stored: Equatable {
  let id: Int
}
private enum A: AliasName { static let aliasName = "as" }

/// `&&`, `||`, `!` and joins of queries keep every clause, or report that they cannot.
@Suite struct CombiningTests {
  let db: Connection
  init() throws {
    db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE "beads" ("id" INTEGER PRIMARY KEY, "title" TEXT, "color" INTEGER);
      INSERT INTO "beads" VALUES (1, 'd', 1), (2, 'c', 1), (3, 'b', 2), (4, 'a', 3)
      """)
  }
  private func ids(_ query: Where<Bead>) throws -> [Int] {
    try query.select(\.id).fetchAll(db)
  }
  private let late = Bead.where { $0.id > 2 }
  private let first = Bead.order(by: \.title).limit(2)
  private let common = Bead.group(by: \.color).having { $0.id.count() > 1 }

  @Test func orderedCompounds() throws {
    let both = Bead.where { $0.color == 1 }.union(Bead.where { $0.id > 2 })
    expectSQL(
      both.order { ($0.title.desc(), $0.id) }.limit(2, offset: 1),
      """
      SELECT * FROM (SELECT "beads"."id", "beads"."title", "beads"."color" FROM "beads" \
      WHERE ("beads"."color" = ?) UNION SELECT "beads"."id", "beads"."title", "beads"."color" FROM "beads" \
      WHERE ("beads"."id" > ?)) AS "rows" ORDER BY "rows"."title" DESC, "rows"."id" LIMIT ? OFFSET ?
      """, [.int(1), .int(2), .int(2), .int(1)])
    #expect(try both.order(by: { $0.title }).fetchAll(db).map(\.id) == [4, 3, 2, 1])
    #expect(try both.order { $0.title }.limit(2).fetchAll(db).map(\.id) == [4, 3])
    #expect(try both.limit(nil, offset: 3).fetchAll(db).count == 1)
    #expect(try both.limit(0).fetchAll(db).isEmpty)
    #expect(try both.fetchAll(db).count == 4)
    // As a side of a compound, and as the rows of a condition.
    let last = both.order { $0.title }.limit(1)
    #expect(try Bead.find(1).union(last).fetchAll(db).map(\.id).sorted() == [1, 4])
    #expect(
      try Bead.where { $0.id.in(Bead.select(\.id).union(Bead.select(\.color)).limit(9)) }.fetchAll(
        db
      ).count == 4)
    // Two empty sides are empty, and an empty side leaves the other one.
    #expect(try Bead.none.union(Bead.none).order { $0.id }.fetchAll(db) == [])
    #expect(try Bead.none.union(first).order { $0.id.desc() }.fetchAll(db).map(\.id) == [4, 3])
  }

  @Selection fileprivate struct Pair {
    let id: Int
    let color: Tone
    @Selection fileprivate struct Tone { let id: Int }
  }

  @Test("A compound with two columns of one name cannot be ordered, but limited")
  func equalNames() throws {
    let pairs = Bead.select { Pair.Columns(id: $0.id, color: Pair.Tone.Columns(id: $0.color)) }
    let both = pairs.union(all: true, pairs)
    #expect(try both.limit(3).fetchAll(db).count == 3)
    #expect {
      _ = try both.order { $0.color.id }.fetchAll(db)
    } throws: { "\($0)".contains("two columns id") }
  }

  @Test func limits() throws {
    expectSQL(
      (late && first).select(\.id),
      """
      SELECT "beads"."id" FROM "beads" WHERE ("beads"."id" > ?) AND ("beads"."rowid" IN \
      (SELECT "beads"."rowid" FROM "beads" ORDER BY "beads"."title" LIMIT ?)) \
      ORDER BY "beads"."title"
      """, [.int(2), .int(2)])
    #expect(try ids(late && Bead.limit(1)) == [])
    #expect(try ids(late && first.offset(1)) == [3])
    #expect(try ids(first && Bead.where { $0.id == 3 }) == [3])
    #expect(try ids(first && Bead.where { $0.id < 3 }) == [])
    #expect(try ids(first || Bead.where { $0.id == 1 }) == [4, 3, 1])
    #expect(try ids(Bead.where { $0.id == 1 } || first).sorted() == [1, 3, 4])
    #expect(try ids(first || Bead.order { $0.id }.limit(1)) == [4, 3, 1])
    #expect(try ids(!first) == [2, 1])
    #expect(try ids(first.as(A.self) && late.as(A.self)) == [4, 3])
    #expect(try ids((first && late).as(A.self)) == [4, 3])
    #expect(try ids(first.and(late).not()).sorted() == [1, 2])
  }

  @Test func groups() throws {
    #expect(try ids(late && common) == [])
    #expect(try ids(late || common).count == 3)
    #expect(try ids(common && Bead.where { $0.id < 3 }).count == 1)
    #expect(try ids(!common).count == 3)
    #expect(throws: SQLiteError.self) { try ids(late && Bead.having { $0.id > 100 }) }
  }

  @Test func allRows() throws {
    #expect(try ids(Bead.all || late).sorted() == [1, 2, 3, 4])
    #expect(try ids(late || Bead.all).sorted() == [1, 2, 3, 4])
    #expect(try ids(late || Bead.order(by: \.title)) == [4, 3, 2, 1])
    #expect(try ids(late && Bead.all).sorted() == [3, 4])
    #expect(try ids(Bead.none || late) == [3, 4])
    #expect(try ids(late || Bead.none.limit(1)) == [3, 4])
    #expect(try ids(Bead.none.limit(1) || Bead.none) == [])
    #expect(try ids(late && Bead.none) == [])
    #expect(try ids(!(late || Bead.all)) == [])
  }

  @Test func orders() throws {
    #expect(try ids(late && Bead.order(by: \.title)) == [4, 3])
    let both = Bead.order(by: \.color) && Bead.order(by: \.title)
    #expect(try ids(both) == [2, 1, 3, 4])
    let once =
      Bead.order(by: \.title).where { $0.id > 0 } || Bead.order(by: \.title).where { $0.id == 0 }
    #expect(once.query.fragment.prepare().sql.hasSuffix(#" ORDER BY "beads"."title""#))
  }

  @Test func distinction() throws {
    #expect(try (Hue.where { $0.color == 1 } && Hue.distinct()).fetchAll(db).count == 1)
    #expect(try (Hue.distinct() || Hue.where { $0.color == 1 }).fetchAll(db).count == 3)
    let two = Hue.distinct().order(by: \.color).limit(2)
    #expect(try (two && Hue.where { $0.color > 0 }).fetchAll(db).map(\.color) == [1, 2])
  }

  @Test func joinedSides() throws {
    let pairs = Bead.join(Hue.as(A.self).distinct()) { $0.color == $1.color }
    expectSQL(
      pairs.select { bead, _ in bead.id },
      """
      SELECT "beads"."id" FROM "beads" JOIN (SELECT DISTINCT "as"."color" FROM "beads" AS "as") \
      AS "as" ON ("beads"."color" = "as"."color")
      """)
    #expect(try pairs.fetchAll(db).count == 4)
    let left = Bead.leftJoin(Hue.as(A.self).where { $0.color < 2 }.distinct()) {
      $0.color == $1.color
    }
    #expect(try left.fetchAll(db).map(\.1?.color).compactMap { $0 } == [1, 1])
    // A single limit applies to the whole query. With two, one applies to the joined table.
    let limited = Bead.order(by: \.id).limit(3).join(Hue.as(A.self).limit(1)) { _, hue in
      hue.color > 0
    }
    #expect(try limited.select { bead, _ in bead.id }.fetchAll(db) == [1, 2, 3])
    let whole = Bead.join(Hue.as(A.self).limit(1)) { _, hue in hue.color > 0 }
    #expect(try whole.fetchAll(db).count == 1)
  }

  @Test func whatAJoinCannotKeepIsRefused() throws {
    func refused(_ statement: some Statement, _ words: String) -> Bool {
      statement.query.fragment.prepare().bindings.contains {
        if case .invalid(let reason) = $0 { reason.contains(words) } else { false }
      }
    }
    #expect(
      refused(
        Bead.all.join(Hue.as(A.self).select(\.color).distinct()) { $0.color == $1.color },
        "distinct() of chosen columns"))
    #expect(
      refused(Bead.join(Stored.distinct()) { $0.id == $1.id }, "needs an alias"))
    #expect(
      !refused(Bead.join(Stored.as(A.self).distinct()) { $0.id == $1.id }, "needs an alias"))
  }

  /// A change of combined queries changes the rows that they find.
  @Test func changes() throws {
    try (late && first).update { $0.title = "x" }.execute(db)
    #expect(try Bead.where { $0.title == "x" }.order(by: \.id).select(\.id).fetchAll(db) == [3, 4])
    try (!Bead.order(by: \.id).limit(3)).delete().execute(db)
    #expect(try Bead.all.fetchCount(db) == 3)
    try (Bead.order(by: \.id).limit(1) || Bead.where { $0.id == 3 }).as(A.self).delete().execute(db)
    #expect(try Bead.select(\.id).fetchAll(db) == [2])
  }
}
