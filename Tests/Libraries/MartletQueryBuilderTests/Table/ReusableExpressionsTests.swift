import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Table private struct Errand: Equatable {
  let id: Int
  var title = ""
  var notes = ""
  var due: String?
  var isDone = false
  var isUrgent = false
  var rank: Int?
}

extension Errand.TableColumns {
  var isOpen: some QueryExpression<Bool> { !isDone }
  var isOverdue: some QueryExpression<Bool> { isOpen && #sql("(\(due) < '2026-01-01')") }
  var oneLine: some QueryExpression<String> { notes.replace("\n", " ") }
  var weight: some QueryExpression<Int> { rank.ifnull(0) * 10 }
  fileprivate func isCalled(_ name: String) -> some QueryExpression<Bool> { title.eq(name) }
}

/// Custom expressions as properties of the columns: `some QueryExpression` has every operator and
/// method.
@Suite struct ReusableExpressionsTests {
  private func database() throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE "errands" (
        "id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL, "notes" TEXT NOT NULL, "due" TEXT,
        "isDone" INTEGER NOT NULL, "isUrgent" INTEGER NOT NULL, "rank" INTEGER) STRICT
      """)
    try Errand.insert {
      Errand(id: 1, title: "milk", notes: "two\nlitres", due: "2025-12-31", rank: 2)
      Errand(id: 2, title: "bread", due: "2025-12-30", isDone: true)
      Errand(id: 3, title: "tea", due: "2027-01-01", rank: 1)
    }.execute(db)
    return db
  }

  /// `Errand.where(\.isOverdue)`, and with `!`, `&&`, `||` and columns on both sides.
  @Test func conditions() throws {
    let db = try database()
    func ids(_ query: Errand.All) throws -> [Int] {
      try query.order(by: \.id).select(\.id).fetchAll(db)
    }
    #expect(try ids(Errand.where(\.isOverdue)) == [1])
    #expect(try ids(Errand.where { !$0.isOverdue }) == [2, 3])
    #expect(try ids(Errand.where { $0.isOverdue || $0.isDone }) == [1, 2])
    #expect(try ids(Errand.where { $0.isDone || $0.isOverdue }) == [1, 2])
    #expect(try ids(Errand.where { $0.isOpen && !$0.isOverdue }) == [3])
    #expect(try ids(Errand.where { $0.isCalled("tea") && $0.isOpen }) == [3])
    #expect(try ids(Errand.where { $0.weight > 10 && $0.oneLine.contains("two l") }) == [1])
    #expect(try ids(Errand.where { $0.weight == $0.id * 20 }) == [1])
    expectSQL(
      Errand.where { !$0.isOpen }.select(\.id),
      #"SELECT "errands"."id" FROM "errands" WHERE (NOT (NOT "errands"."isDone"))"#)
  }

  /// As columns, in aggregates with filters, in CASE, in orders and groups.
  @Test func columns() throws {
    let db = try database()
    let lines = try Errand.order { ($0.isOverdue.desc(), $0.oneLine) }
      .select { ($0.oneLine.upper(), $0.weight + 1) }.fetchAll(db)
    #expect(lines.map(\.0) == ["TWO LITRES", "", ""])
    #expect(lines[0].1 == 21)
    let counts = try Errand.select {
      ($0.count(filter: $0.isOverdue), $0.weight.max(), $0.weight.sum(filter: !$0.isOverdue))
    }.fetchOne(db)
    #expect(counts?.0 == 1 && counts?.1 == 20 && counts?.2 == 10)
    let words = try Errand.order(by: \.id)
      .select { Case().when($0.isOverdue, then: "late").else("fine") }.fetchAll(db)
    #expect(words == ["late", "fine", "fine"])
    let groups = try Errand.group(by: \.isOpen).order(by: \.isOpen)
      .select { ($0.isOpen, $0.count()) }.fetchAll(db)
    #expect(groups.map(\.1) == [1, 2])
  }

  /// In an outer join, and read in an update.
  @Test func elsewhere() throws {
    let db = try database()
    try Errand.update { $0.isUrgent = $0.isOverdue }.execute(db)
    #expect(try Errand.where(\.isUrgent).select(\.id).fetchAll(db) == [1])
    enum Other: AliasName {}
    let pairs = try Errand.leftJoin(Errand.as(Other.self)) { $0.id.eq($1.id) && $1.isOverdue }
      .order { errand, _ in errand.id }.select { ($0.id, $1.isOverdue) }.fetchAll(db)
    #expect(pairs.map(\.1) == [true, nil, nil])
  }
}
