import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Table("rows") private struct Row: Equatable {
  let id: Int
  var name = ""
  var kind = 0
  var isDeleted = false
  static let all = Self.where { !$0.isDeleted }.order(by: \.name)
}
@Table("rows") private struct Bare: Equatable {
  let id: Int
  var name = ""
  var isDeleted = false
  static let all = unscoped.where { !$0.isDeleted }
}
@Table("rows") private struct Computed: Equatable {
  let id: Int
  var isDeleted = false
  static var all: Where<Self> { Self.where { !$0.isDeleted } }
}
@Table("rows") private struct Newest: Equatable {
  let id: Int
  var kind = 0
  static let all = Self.order { $0.id.desc() }.limit(2)
}
@Table("rows") private struct Kind: Equatable {
  let kind: Int
  static let all = Self.distinct()
}
@Table("rows") private struct Group: Equatable {
  let id: Int
  var kind = 0
  static let all = Self.group(by: \.kind).having { $0.id.count() > 1 }
}
@Table("notes") private struct Memo: Equatable {
  let id: Int
}
private enum A: AliasName { static let aliasName = "as" }

/// The clauses of a table's own `all` are all in its queries, and filter only its own rows.
@Suite struct TableScopeTests {
  let db: Connection
  init() throws {
    db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE "rows" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL DEFAULT '',
        "kind" INTEGER NOT NULL DEFAULT 0, "isDeleted" INTEGER NOT NULL DEFAULT 0);
      CREATE TABLE "notes" ("id" INTEGER PRIMARY KEY);
      INSERT INTO "rows" VALUES (1, 'c', 1, 0), (2, 'b', 1, 1), (3, 'a', 2, 0);
      INSERT INTO "notes" VALUES (1), (2), (4)
      """)
  }

  @Test func distinct() throws {
    #expect(try Kind.all.fetchAll(db).count == 2)
    #expect(try Kind.where { $0.kind > 0 }.fetchAll(db).count == 2)
    #expect(try Kind.select(\.kind).fetchAll(db).count == 2)
    #expect(try Kind.as(A.self).where { $0.kind == 1 }.fetchAll(db).count == 1)
    #expect(try Kind.count().fetchOne(db) == 2)
    #expect(try Kind.distinct(false).fetchAll(db).count == 3)
    #expect(try Kind.all.unscoped.fetchAll(db).count == 3)
    #expect(try Kind.all.distinct().unscoped.fetchAll(db).count == 2)
  }

  @Test func groups() throws {
    #expect(try Group.where { $0.id > 0 }.select(\.kind).fetchAll(db) == [1])
    #expect(try Group.order(by: \.id).select(\.kind).fetchAll(db) == [1])
    #expect(try Group.count().fetchOne(db) == 1)
    #expect(try Group.as(A.self).select(\.kind).fetchAll(db) == [1])
    #expect(try Group.group(by: \.id).fetchAll(db).isEmpty)
    #expect(try Group.all.unscoped.fetchCount(db) == 3)
    #expect(try Group.unscoped.where { $0.kind == 2 }.fetchCount(db) == 1)
    try Group.delete().where { $0.kind == 2 }.execute(db)
    #expect(try Group.unscoped.fetchCount(db) == 3)
  }

  @Test func limits() throws {
    #expect(try Newest.select(\.id).fetchAll(db) == [3, 2])
    #expect(try Newest.limit(1).select(\.id).fetchAll(db) == [3])
    #expect(try Newest.limit(nil).select(\.id).fetchAll(db) == [3, 2, 1])
    #expect(try Newest.all.limit(nil).select(\.id).fetchAll(db) == [3, 2, 1])
    #expect(try Newest.offset(1).select(\.id).fetchAll(db) == [2, 1])
    #expect(try Newest.all.unscoped.order(by: \.id).select(\.id).fetchAll(db) == [1, 2, 3])
    // A clause that the query repeats is kept by `unscoped`.
    #expect(try Newest.all.limit(2).unscoped.order(by: \.id).select(\.id).fetchAll(db) == [1, 2])
    #expect(try Newest.limit(2).unscoped.order(by: \.id).select(\.id).fetchAll(db) == [1, 2])
  }

  @Test func unscopedKeepsWhatTheQuerySays() throws {
    let own = Row.where { !$0.isDeleted }.order(by: \.name)
    expectSQL(
      own.unscoped.select(\.id),
      #"SELECT "rows"."id" FROM "rows" WHERE (NOT "rows"."isDeleted") ORDER BY "rows"."name""#)
    expectSQL(Row.all.unscoped.select(\.id), #"SELECT "rows"."id" FROM "rows""#)
    expectSQL(
      Row.all.where { !$0.isDeleted }.as(A.self).unscoped.select(\.id),
      #"SELECT "as"."id" FROM "rows" AS "as" WHERE (NOT "as"."isDeleted")"#)
    expectSQL(
      Row.as(A.self).where { $0.id > 0 }.unscoped.select(\.id),
      #"SELECT "as"."id" FROM "rows" AS "as" WHERE ("as"."id" > ?)"#, [.int(0)])
    #expect(try Row.where { !$0.isDeleted }.unscoped.fetchCount(db) == 2)
    #expect(try Bare.all.unscoped.fetchCount(db) == 3)
    #expect(try Bare.unscoped.where { !$0.isDeleted }.unscoped.fetchCount(db) == 2)
    #expect(try Computed.all.unscoped.fetchCount(db) == 3)
    #expect(try Computed.all.where { $0.id > 1 }.unscoped.fetchCount(db) == 2)
    #expect(try Computed.where { $0.id > 1 }.fetchCount(db) == 1)
  }

  @Test func alternatives() throws {
    let either = Row.unscoped.where { $0.id == 2 } || Row.where { $0.id > 0 }
    expectSQL(
      either.select(\.id),
      """
      SELECT "rows"."id" FROM "rows" WHERE (("rows"."id" = ?) OR \
      ((NOT "rows"."isDeleted") AND ("rows"."id" > ?))) ORDER BY "rows"."name"
      """, [.int(2), .int(0)])
    func ids(_ query: Where<Row>) throws -> [Int] { try query.select(\.id).fetchAll(db).sorted() }
    #expect(try ids(either) == [1, 2, 3])
    #expect(try ids(Row.unscoped.where { $0.id == 99 } || Row.where { $0.id > 0 }) == [1, 3])
    #expect(try ids(Row.where { $0.id > 0 } || Row.unscoped.where { $0.id == 2 }) == [1, 2, 3])
    #expect(try ids(Row.unscoped && Row.where { $0.id > 1 }) == [3])
    #expect(try ids(Row.unscoped.as(A.self) && Row.where { $0.id > 1 }) == [3])
    #expect(try ids(Row.unscoped.order(by: \.id) + Row.where { $0.id > 1 }) == [3])
    #expect(try ids(Row.where { $0.id > 1 } + Row.unscoped) == [3])
    #expect(try ids(Row.where { $0.id == 2 } || Row.where { $0.id == 3 }) == [3])
    #expect(try ids(!Row.where { $0.id == 1 }) == [3])
    #expect(try ids(!Row.all.where { $0.id == 1 }) == [3])
    // The clauses that both sides start with are printed once, and `unscoped` drops them.
    let both = Row.all.where { $0.id == 2 } || Row.all.where { $0.id == 3 }
    expectSQL(
      both.unscoped.select(\.id),
      #"SELECT "rows"."id" FROM "rows" WHERE (("rows"."id" = ?) OR ("rows"."id" = ?))"#,
      [.int(2), .int(3)])
    #expect(try ids(both) == [3])
    #expect(try ids(both.unscoped) == [2, 3])
    #expect(try ids(Row.all.where { $0.id == 2 } || Row.where { $0.id == 3 }) == [3])
    #expect(
      try Bare.all.where { $0.id > 0 }.or(Bare.unscoped.where { $0.id == 2 }).fetchCount(db) == 3)
  }

  @Test func joins() throws {
    let left = Memo.leftJoin(Row.all) { $0.id == $1.id }
    expectSQL(
      left.select { ($0.id, $1.id) },
      """
      SELECT "notes"."id", "rows"."id" FROM "notes" LEFT JOIN "rows" \
      ON ("notes"."id" = "rows"."id") AND (NOT "rows"."isDeleted") ORDER BY "rows"."name"
      """)
    func pairs(
      _ query: Select<(Memo.TableColumns, Row.TableColumns.Outer), (Memo, Row?), ()>
    ) throws -> [[Int?]] {
      try query.fetchAll(db).map { [$0.0.id, $0.1?.id] }.sorted { $0[0]! < $1[0]! }
    }
    #expect(try pairs(left) == [[1, 1], [2, nil], [4, nil]])
    #expect(try pairs(Memo.leftJoin(Row.where { $0.id > 0 }) { $0.id == $1.id }) == [[1, 1]])
    #expect(try pairs(Memo.leftJoin(Row.order(by: \.id)) { $0.id == $1.id }).count == 3)
    #expect(try pairs(Memo.leftJoin(Row.as(A.self)) { $0.id == $1.id }).count == 3)
    #expect(try pairs(Memo.leftJoin(Row.unscoped) { $0.id == $1.id })[1] == [2, 2])
    let bare = try Memo.leftJoin(Bare.all) { $0.id == $1.id }.fetchAll(db)
    #expect(bare.map(\.1?.id).sorted { $0 ?? 9 < $1 ?? 9 } == [1, nil, nil])
    let limited = try Memo.order(by: \.id).leftJoin(Newest.all) { $0.id == $1.id }.fetchAll(db)
    #expect(limited.map(\.1?.id) == [2, nil, nil] || limited.map(\.1?.id) == [nil, 2, nil])
    let grouped = try Memo.join(Group.all) { $0.id > $1.id }.fetchAll(db)
    #expect(Set(grouped.map(\.1.kind)) == [1])
  }

  @Test func joinsWithClausesOfTheirOwn() throws {
    let named = try Memo.leftJoin(Row.select(\.name)) { $0.id == $1.id }.fetchAll(db)
    #expect(Set(named) == ["c", nil] && named.count == 3)
    let own = Memo.leftJoin(Row.all.where { $0.id > 0 }) { $0.id == $1.id }
    expectSQL(
      own.select { memo, _ in memo.id },
      """
      SELECT "notes"."id" FROM "notes" LEFT JOIN "rows" ON ("notes"."id" = "rows"."id") \
      AND (NOT "rows"."isDeleted") WHERE ("rows"."id" > ?) ORDER BY "rows"."name"
      """, [.int(0)])
    #expect(try Memo.leftJoin(Row.all) { $0.id == $1.id }.count().fetchOne(db) == 3)
    // Both tables' own clauses, also after further joins.
    let twice = Row.leftJoin(Row.as(A.self)) { $0.id < $1.id }
    #expect(try twice.fetchAll(db).map { [$0.0.id, $0.1?.id] } == [[3, nil], [1, 3]])
    let three = Memo.leftJoin(Row.all) { $0.id == $1.id }.leftJoin(Row.as(A.self)) {
      $1.id == $2.id
    }
    #expect(try three.fetchAll(db).count == 3)
    let none = try Memo.leftJoin(Row.none) { $0.id == $1.id }.fetchAll(db)
    #expect(none.count == 3 && none.allSatisfy { $0.1 == nil })
    // With a limit on both sides, the joined table's limit applies to its own rows.
    let limited = try Newest.join(Memo.as(A.self).order(by: \.id).limit(1)) { $0.id >= $1.id }
      .fetchAll(db)
    #expect(limited.map { [$0.0.id, $0.1.id] } == [[3, 1], [2, 1]])
    let inner = try Memo.order(by: \.id).join(Newest.all) { $0.id <= $1.id }.fetchAll(db)
    #expect(inner.map { [$0.0.id, $0.1.id] } == [[1, 3], [1, 2], [2, 3], [2, 2]])
  }

  @Test func rightAndFullJoins() throws {
    let right = try Row.rightJoin(Memo.all) { $0.id == $1.id }.fetchAll(db)
    #expect(Set(right.map { [$0.0?.id, $0.1.id] }) == [[1, 1], [nil, 2], [nil, 4]])
    let all = try Row.all.rightJoin(Memo.all) { $0.id == $1.id }.fetchAll(db)
    #expect(Set(all.map { [$0.0?.id, $0.1.id] }) == [[1, 1], [nil, 2], [nil, 4]])
    // The required side keeps only its own rows.
    let kept = try Memo.rightJoin(Row.all) { $0.id == $1.id }.fetchAll(db)
    #expect(Set(kept.map { [$0.0?.id, $0.1.id] }) == [[1, 1], [nil, 3]])
    let full = try Memo.fullJoin(Row.all) { $0.id == $1.id }.fetchAll(db)
    #expect(Set(full.map { [$0.0?.id, $0.1?.id] }) == [[1, 1], [2, nil], [4, nil], [nil, 3]])
    let other = try Row.fullJoin(Memo.all) { $0.id == $1.id }.fetchAll(db)
    #expect(Set(other.map { [$0.0?.id, $0.1?.id] }) == [[1, 1], [nil, 2], [nil, 4], [3, nil]])
    // A table of an inner join may have no row if another join follows.
    let third = Memo.join(Row.all) { $0.id == $1.id }
    let rights = try third.rightJoin(Memo.as(A.self)) { $0.id == $2.id }.fetchAll(db)
    #expect(Set(rights.map { [$0.1?.id, $0.2.id] }) == [[1, 1], [nil, 2], [nil, 4]])
    let fulls = try third.fullJoin(Memo.as(A.self)) { $0.id == $2.id }.fetchAll(db)
    #expect(Set(fulls.map { [$0.1?.id, $0.2?.id] }) == [[1, 1], [nil, 2], [nil, 4]])
  }

  /// An INSERT into a table whose `all` has clauses.
  @Test func insert() throws {
    try Row.all.insert { Row(id: 7) }.execute(db)
    try Bare.all.insert { Bare(id: 8) }.execute(db)
    try Newest.as(A.self).insert { Newest(id: 9) }.execute(db)
    try Newest.all.as(A.self).insert { Newest(id: 10) }.execute(db)
    try Row.all.limit(nil).insert { Row(id: 11) }.execute(db)
    #expect(try Row.unscoped.fetchCount(db) == 8)
    #expect(throws: (any Error).self) {
      try Row.all.where { $0.id > 0 }.insert { Row(id: 12) }.execute(db)
    }
    #expect(throws: (any Error).self) {
      try Row.where { !$0.isDeleted }.insert { Row(id: 12) }.execute(db)
    }
  }
}
