import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Selection private struct Person: Equatable {
  var name: String
  var index: Int?
}
@Table private struct Essay: Equatable {
  let id: Int
  var author: Person
}

@Selection private struct Street: Equatable { var street: String }
@Table private struct Order: Equatable {
  let id: Int
  var billing: Street
  var shipping: Street
}

@Selection private struct Sum: Equatable {
  var a: Int
  @Column(generated: .stored) let double: Int
}
@Table private struct Account: Equatable {
  let id: Int
  var sum: Sum
}

@Selection private struct Anchor: Equatable {
  var url: String?
  var label: String?
}
@Table private struct Mark: Equatable {
  let id: Int
  var kind: Kind
  @Selection fileprivate enum Kind: Equatable {
    case note(String)
    case anchor(Anchor)
    case row(Double)
  }
}

@Table private struct Log: Equatable { @Column(lazyInitializable: true) var at: Int }

/// Mistakes with groups that would be silent.
@Suite struct GroupPitfallsTests {
  let db: Connection
  init() throws {
    db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE "essays" ("id" INTEGER PRIMARY KEY, "name" TEXT, "index" INTEGER);
      CREATE TABLE "orders" ("id" INTEGER PRIMARY KEY, "street" TEXT);
      CREATE TABLE "accounts" (
        "id" INTEGER PRIMARY KEY, "a" INTEGER, "double" INTEGER AS ("a" * 2) STORED);
      CREATE TABLE "marks" (
        "id" INTEGER PRIMARY KEY, "note" TEXT, "url" TEXT, "label" TEXT, "row" REAL);
      CREATE TABLE "logs" ("at" INTEGER NOT NULL DEFAULT 7)
      """)
    try Essay.insert {
      Essay(id: 1, author: Person(name: "Ann", index: 1))
      Essay(id: 2, author: Person(name: "Bo"))
    }.execute(db)
  }

  /// Members with the names `name` and `index` are columns.
  @Test func memberNames() throws {
    #expect(try Essay.where { $0.author.name == "Ann" }.select(\.id).fetchAll(db) == [1])
    #expect(try Essay.select(\.author.name).fetchAll(db) == ["Ann", "Bo"])
    #expect(try Essay.select(\.author.index).fetchAll(db) == [1, nil])
    try Essay.delete().where { $0.author.name != "Ann" }.execute(db)
    #expect(try Essay.all.fetchCount(db) == 1)
  }

  /// A member that is `nil` equals another one that is.
  @Test func missingMembers() throws {
    #expect(try Essay.where { $0.author == Person(name: "Bo") }.select(\.id).fetchAll(db) == [2])
    #expect(try Essay.where { $0.author != Person(name: "Bo") }.select(\.id).fetchAll(db) == [1])
    #expect(
      try Essay.where { $0.author.in([Person(name: "Bo"), Person(name: "Ann", index: 1)]) }
        .fetchCount(db) == 2)
    #expect(try Essay.where { $0.author.notIn([Person(name: "Bo")]) }.fetchCount(db) == 1)
  }

  /// Two groups with a column of the same name cannot be written, because one value would be lost.
  @Test func sharedNames() throws {
    let order = Order(id: 1, billing: Street(street: "B"), shipping: Street(street: "S"))
    for change in [Order.insert { order }.query, Order.update(order).query] {
      let error = #expect(throws: SQLiteError.self) { _ = try db.statement(for: change) }
      #expect(error?.message.contains("\"street\" is given twice") == true)
    }
  }

  /// Generated columns of a group are read and never written.
  @Test func generatedMembers() throws {
    try Account.insert { Account.Columns(id: 1, sum: Sum(a: 2, double: 0)) }.execute(db)
    try Account.insert {
      ($0.id, $0.sum)
    } values: {
      (2, Sum(a: 3, double: 0))
    }.execute(db)
    try Account.find(1).update { $0.sum = Sum(a: 5, double: 0) }.execute(db)
    #expect(
      try Account.all.fetchAll(db) == [
        Account(id: 1, sum: Sum(a: 5, double: 10)), Account(id: 2, sum: Sum(a: 3, double: 6)),
      ])
  }

  /// A row is always exactly one case: setting a part of another case turns the row into that case,
  /// and `append` changes only rows that are the case.
  @Test func partsOfCases() throws {
    try Mark.insert {
      Mark(id: 1, kind: .note("n"))
      Mark(id: 2, kind: .anchor(Anchor(url: "u", label: "l")))
    }.execute(db)
    try Mark.update { $0.kind.note.append("!") }.execute(db)
    #expect(
      try Mark.all.select(\.kind).fetchAll(db)
        == [.note("n!"), .anchor(Anchor(url: "u", label: "l"))])
    try Mark.update { $0.kind.anchor.url = "v" }.execute(db)
    #expect(
      try Mark.all.select(\.kind).fetchAll(db)
        == [.anchor(Anchor(url: "v")), .anchor(Anchor(url: "v", label: "l"))])
    for kind in [Mark.Kind.anchor(Anchor()), .row(.nan)] {
      let error = #expect(throws: SQLiteError.self) {
        try Mark.insert { Mark(id: 9, kind: kind) }.execute(db)
      }
      #expect(error?.message.contains("is NULL in each of its columns") == true)
    }
  }

  /// As many rows as drafts, also for a table without a key.
  @Test func allDefaults() throws {
    try Log.insert {
      Log.Draft()
      Log.Draft()
    }.execute(db)
    #expect(try Log.all.fetchAll(db) == [Log(at: 7), Log(at: 7)])
  }

  /// A row of values as a table, and a comment at the end of raw SQL.
  @Test func sources() throws {
    #expect(try Select(Values(1, "a")).fetchAll(db)[0] == (1, "a"))
    let raw = Essay.where {
      #sql("\($0.id) > 1 -- the second"); $0.id < 9
    }
    #expect(try raw.select(\.id).fetchAll(db) == [2])
    let alone = Essay.where { #sql("\($0.id) > 0 -- every one") }.order(by: \.id).limit(1)
    #expect(try alone.select(\.id).fetchAll(db) == [1])
  }
}
