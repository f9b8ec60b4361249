import MartletQueryBuilder
import MartletSQLite
import MartletStore
import TestSupport
import Testing

/// Random expressions and statements have the result in SQLite that Swift computes. A failure
/// prints its seed.
@Suite struct OracleTests {
  private func database(_ facts: [Fact]) throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE "facts" (
        "id" INTEGER PRIMARY KEY, "a" INTEGER NOT NULL, "b" INTEGER, "s" TEXT NOT NULL, "t" TEXT,
        "flag" INTEGER NOT NULL) STRICT
      """)
    try Fact.insert { facts }.execute(db)
    return db
  }

  private func check<V: ScalarValue & Equatable>(
    _ pair: Pair<V>, _ facts: [Fact], _ db: Connection, _ seed: UInt64
  ) throws {
    let query = Fact.order(by: \.id).select { _ in pair.sql }
    let values = try query.fetchAll(db)
    let expected = facts.map(pair.value)
    #expect(values == expected, "seed \(seed): \(query.query.fragment.prepare(.literal).sql)")
  }

  @Test func expressions() throws {
    for _ in 0..<400 {
      let seed = UInt64.random(in: 0 ... .max)
      var build = RandomExpressions(seed: seed)
      let facts = build.facts(8)
      let db = try database(facts)
      let depth = Int.random(in: 1...4, using: &build.random)
      try check(build.int(depth), facts, db, seed)
      try check(build.bool(depth), facts, db, seed)
      try check(build.string(depth), facts, db, seed)
    }
  }

  /// WHERE, ORDER BY, LIMIT, OFFSET and DISTINCT. NULLs come first.
  @Test func selects() throws {
    for _ in 0..<200 {
      let seed = UInt64.random(in: 0 ... .max)
      var build = RandomExpressions(seed: seed)
      let facts = build.facts(12)
      let db = try database(facts)
      let (condition, key, value) = (build.bool(3), build.int(3), build.string(2))
      let limit = build.random.once(in: 2) ? nil : Int.random(in: 0...6, using: &build.random)
      let offset = Int.random(in: 0...3, using: &build.random)
      let isDescending = build.random.once(in: 2)

      var query = Fact.where { _ in condition.sql }
        .order { fact in
          if isDescending { key.sql.desc() } else { key.sql.asc() }
          fact.id
        }
      if let limit { query = query.limit(limit, offset: offset) }
      let rows = try query.select { ($0.id, value.sql) }.fetchAll(db)

      var expected = facts.filter { condition.value($0) == true }.sorted { left, right in
        let (x, y) = (key.value(left) ?? .min, key.value(right) ?? .min)
        return x == y ? left.id < right.id : isDescending ? x > y : x < y
      }
      if let limit { expected = Array(expected.dropFirst(offset).prefix(limit)) }
      let sql = query.query.fragment.prepare(.literal).sql
      #expect(rows.map(\.0) == expected.map(\.id), "seed \(seed): \(sql)")
      #expect(rows.map(\.1) == expected.map(value.value), "seed \(seed): \(sql)")
      #expect(
        try Fact.count { _ in condition.sql }.fetchOne(db)
          == facts.count { condition.value($0) == true }, "seed \(seed)")
      let distinct = try Fact.all.distinct().select { _ in value.sql }.fetchAll(db)
      #expect(
        Set(distinct) == Set(facts.map(value.value)) && Set(distinct).count == distinct.count,
        "seed \(seed)")
    }
  }

  @Test func groups() throws {
    for _ in 0..<150 {
      let seed = UInt64.random(in: 0 ... .max)
      var build = RandomExpressions(seed: seed)
      let facts = build.facts(12)
      let db = try database(facts)
      let (key, number, filter) = (build.bool(3), build.int(2), build.bool(2))
      let query = Fact.group { _ in key.sql }.order { _ in key.sql }
        .select { fact in
          (
            key.sql, number.sql.sum(), number.sql.max(),
            fact.id.count(filter: SQLQueryExpression<Bool>(filter.sql.queryFragment))
          )
        }
      let rows = try query.fetchAll(db)
      let groups = Dictionary(grouping: facts, by: key.value)
      let keys = [nil, false, true].filter { groups[$0] != nil }
      #expect(rows.map(\.0) == keys, "seed \(seed)")
      for (row, key) in zip(rows, keys) {
        let group = groups[key] ?? []
        let numbers = group.compactMap(number.value)
        #expect(row.1 == (numbers.isEmpty ? nil : numbers.reduce(0, +)), "seed \(seed)")
        #expect(row.2 == numbers.max(), "seed \(seed)")
        #expect(row.3 == group.count { filter.value($0) == true }, "seed \(seed)")
      }
    }
  }

  /// UPDATE, DELETE and INSERT … SELECT change the table as Swift computes.
  @Test func changes() throws {
    for _ in 0..<150 {
      let seed = UInt64.random(in: 0 ... .max)
      var build = RandomExpressions(seed: seed)
      var facts = build.facts(10)
      let db = try database(facts)
      let (condition, number, text, doomed) = (
        build.bool(3), build.int(3), build.string(3), build.bool(3)
      )
      let update = Fact.where { _ in condition.sql }.update {
        $0.b = number.sql
        $0.t = text.sql
        $0.flag.toggle()
      }
      try update.execute(db)
      facts = facts.map { fact in
        guard condition.value(fact) == true else { return fact }
        var changed = fact
        changed.b = number.value(fact)
        changed.t = text.value(fact)
        changed.flag.toggle()
        return changed
      }
      let sql = update.query.fragment.prepare(.literal).sql
      #expect(try Fact.order(by: \.id).fetchAll(db) == facts, "seed \(seed): \(sql)")

      let gone = try Fact.where { _ in doomed.sql }.delete().returning(\.id).fetchAll(db)
      #expect(
        gone.sorted() == facts.filter { doomed.value($0) == true }.map(\.id), "seed \(seed)")
      facts.removeAll { doomed.value($0) == true }
      try Fact.insert {
        ($0.a, $0.s, $0.flag)
      } select: {
        Fact.where { _ in condition.sql }.select { ($0.a + 1, $0.s + "!", $0.flag) }
      }.execute(db)
      let copies = facts.filter { condition.value($0) == true }
      #expect(try Fact.all.fetchCount(db) == facts.count + copies.count, "seed \(seed)")
    }
  }
}
