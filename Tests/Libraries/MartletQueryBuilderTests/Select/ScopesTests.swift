import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Table private struct Task: Equatable {
  let id: Int
  var title = ""
  var isDone = false
  var stage: Int?

  static let open = Self.where { !$0.isDone }
  static let titles = Self.select(\.title)
  static func searching(_ text: String) -> Where<Task> { Self.where { $0.title.contains(text) } }
}

@Table private struct Ghost: Equatable {
  let id: Int
  var isDeleted = false
  static let all = unscoped.where { !$0.isDeleted }.order { $0.id.desc() }
}

/// Queries as named parts that can be combined.
@Suite struct ScopesTests {
  private func database() throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE "tasks" (
        "id" INTEGER PRIMARY KEY, "title" TEXT, "isDone" INTEGER, "stage" INTEGER);
      INSERT INTO "tasks" VALUES (1, 'buy milk', 0, NULL), (2, 'buy tea', 1, 1), (3, 'rest', 0, 2);
      CREATE TABLE "ghosts" ("id" INTEGER PRIMARY KEY, "isDeleted" INTEGER);
      INSERT INTO "ghosts" VALUES (1, 0), (2, 1), (3, 0)
      """)
    return db
  }

  private func ids(_ query: Where<Task>) throws -> [Int] {
    try query.order(by: \.id).select(\.id).fetchAll(database())
  }

  /// ```swift
  /// Task.open && Task.searching("buy")
  /// // … WHERE (NOT "tasks"."isDone") AND ("tasks"."title" LIKE '%buy%')
  /// Task.open || Task.searching("buy")
  /// // … WHERE ((NOT "tasks"."isDone") OR ("tasks"."title" LIKE '%buy%'))
  /// ```
  @Test func conditions() throws {
    expectSQL(
      (Task.open || Task.searching("buy")).select(\.id),
      """
      SELECT "tasks"."id" FROM "tasks" \
      WHERE ((NOT "tasks"."isDone") OR ("tasks"."title" LIKE ?))
      """, [.text("%buy%")])
    #expect(try ids(Task.open && Task.searching("buy")) == [1])
    #expect(try ids(Task.open || Task.searching("buy")) == [1, 2, 3])
    #expect(try ids(!Task.open) == [2])
    #expect(
      try ids(Task.where(\.isDone).or(.where { $0.id == 3 }).and(Task.searching("rest"))) == [3])
    // Two conditions on one side stay together.
    #expect(
      try ids(
        Task.where {
          $0.id == 1; $0.isDone
        }
          || Task.where {
            $0.id == 2; $0.isDone
          }) == [2])
    expectSQL(
      Task.all.not().select(\.id), #"SELECT "tasks"."id" FROM "tasks" WHERE (NOT 1)"#)
    #expect(try ids(Task.all || Task.open) == [1, 2, 3])
  }

  /// ```swift
  /// Task.order(by: \.title).open.titles
  /// // SELECT "tasks"."title" FROM "tasks" WHERE (NOT "tasks"."isDone") ORDER BY "tasks"."title"
  /// ```
  @Test func staticQueries() throws {
    let query = Task.order(by: \.title).open.titles
    expectSQL(
      query,
      """
      SELECT "tasks"."title" FROM "tasks" WHERE (NOT "tasks"."isDone") ORDER BY "tasks"."title"
      """)
    #expect(try query.fetchAll(database()) == ["buy milk", "rest"])
    let rows: [(Int, String)] = try Task.select(\.id).titles.fetchAll(database())
    #expect(rows.map(\.1) == ["buy milk", "buy tea", "rest"])
    #expect(try Task.Draft.open.fetchAll(database()).map(\.id) == [1, 3])
    #expect(try Task.Draft.where { $0.id > Optional(1) }.open.fetchAll(database()).map(\.id) == [3])
  }

  @Test func sums() throws {
    let sum = Task.where(\.isDone).select(\.id) + Task.order(by: \.title).select(\.title)
    expectSQL(
      sum,
      """
      SELECT "tasks"."id", "tasks"."title" FROM "tasks" WHERE "tasks"."isDone" \
      ORDER BY "tasks"."title"
      """)
    #expect(try sum.fetchAll(database()).map(\.1) == ["buy tea"])
    #expect(try ids(Task.where { !$0.isDone } + Task.where { $0.id > 1 }) == [3])
    let swapped = Task.open.select { ($0.id, $0.title) }.map { ($1, $0 + 10) }
    expectSQL(
      swapped,
      #"SELECT "tasks"."title", ("tasks"."id" + ?) FROM "tasks" WHERE (NOT "tasks"."isDone")"#,
      [.int(10)])
    #expect(try swapped.fetchAll(database()).map(\.1) == [11, 13])
  }

  @Test func typeNames() throws {
    let one: SelectOf<Task> = Task.all
    let two: SelectOf<Task, Ghost> = Task.join(Ghost.all) { $0.id == $1.id }
    #expect(try one.fetchAll(database()).count == 3)
    #expect(try two.fetchAll(database()).map(\.1.id) == [3, 1])
    #expect(try Task.as(Other.self).all.unscoped.fetchAll(database()).count == 3)
  }
  enum Other: AliasName {}

  /// A query under an alias starts with the table's own `all`, under the alias.
  @Test func aliasKeepsTheDefaultScope() throws {
    let query = Ghost.as(Other.self).select(\.id)
    expectSQL(
      query,
      """
      SELECT "others"."id" FROM "ghosts" AS "others" WHERE (NOT "others"."isDeleted") \
      ORDER BY "others"."id" DESC
      """)
    #expect(try query.fetchAll(database()) == [3, 1])
    #expect(try Ghost.as(Other.self).unscoped.select(\.id).fetchCount(database()) == 3)
    #expect(try Ghost.Draft.all.fetchAll(database()).map(\.id) == [3, 1])
  }

  /// The scopes that a table declares use the alias too.
  @Test func scopesOfAnAlias() throws {
    let query = Task.as(Other.self).where { $0.id > 0 }.open.titles
    expectSQL(
      query,
      """
      SELECT "others"."title" FROM "tasks" AS "others" WHERE ("others"."id" > ?) \
      AND (NOT "others"."isDone")
      """, [.int(0)])
    #expect(try query.fetchAll(database()) == ["buy milk", "rest"])
    #expect(try ids(Task.open) == [1, 3])
    let either = Task.as(Other.self).where { $0.id == 2 } || Task.open
    #expect(try either.order { $0.id }.select(\.id).fetchAll(database()) == [1, 2, 3])
  }

  /// `find` takes keys from a query, uses the first table's key in joins, and restricts changes.
  @Test func find() throws {
    let db = try database()
    let subquery = Task.find(Task.open.select(\.id)).select(\.id)
    expectSQL(
      subquery,
      """
      SELECT "tasks"."id" FROM "tasks" WHERE ("tasks"."id" IN (SELECT "tasks"."id" FROM "tasks" \
      WHERE (NOT "tasks"."isDone")))
      """)
    #expect(try subquery.fetchAll(db) == [1, 3])
    let joined = Task.join(Ghost.all) { $0.id == $1.id }.select { ($0.title, $1.id) }.find(3)
    #expect(try joined.fetchAll(db).map(\.0) == ["rest"])
    let update = Task.update { $0.title += "!" }.find(1).returning(\.title)
    expectSQL(
      update,
      """
      UPDATE "tasks" SET "title" = ("tasks"."title" || ?) WHERE ("tasks"."id" = ?) \
      RETURNING "title"
      """, [.text("!"), .int(1)])
    #expect(try update.fetchAll(db) == ["buy milk!"])
    #expect(try Task.delete().find([2, 3]).returning(\.id).fetchAll(db) == [2, 3])
    #expect(
      try Task.update { $0.isDone.toggle() }.where(\.isDone).returning(\.id).fetchAll(db) == [])
  }

  /// An update without assignments, and a change of `none`, are empty and execute nothing.
  @Test func emptyChanges() throws {
    for query in [
      Task.update { _ in }.query, Task.none.update { $0.id = 1 }.query, Task.none.delete().query,
    ] {
      #expect(query.isEmpty && query.fragment.isEmpty)
    }
  }

  /// `count` counts the rows of a limited or grouped query, with and without a condition.
  @Test func counts() throws {
    let db = try database()
    #expect(try Task.order(by: \.id).limit(2).count { $0.isDone }.fetchOne(db) == 1)
    #expect(try Task.group(by: \.isDone).count().fetchOne(db) == 2)
    #expect(try Task.limit { _ in 1 + #bind(1) }.fetchAll(db).count == 2)
  }
}
