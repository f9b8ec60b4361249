import MartletSQLite
import TestSupport
import Testing

@testable import MartletStore

/// What the primary has done is done on a replica, value by value, whatever the tables are like.
@Suite("Row images") struct RowImageTests {
  private static let schema = """
    CREATE TABLE plain (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b);
    CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, a);
    CREATE TABLE loose (a, b);
    CREATE TABLE hidden (rowid TEXT, oid INTEGER, "a b" BLOB);
    CREATE TABLE keyed (a TEXT COLLATE NOCASE, b, c, PRIMARY KEY (b, a)) WITHOUT ROWID;
    CREATE TABLE ordered (c INT, g INT AS (c * 2) STORED, k TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TABLE generated (id INTEGER PRIMARY KEY, v AS (a || 'v'), a, s AS (a || 's') STORED);
    CREATE INDEX generated_v ON generated (v);
    CREATE TABLE replacing (id INTEGER PRIMARY KEY, a UNIQUE ON CONFLICT REPLACE);
    CREATE TABLE ignoring (id INTEGER PRIMARY KEY, a UNIQUE ON CONFLICT IGNORE);
    CREATE TABLE pair (a UNIQUE, b UNIQUE ON CONFLICT REPLACE);
    CREATE TABLE parents (id INTEGER PRIMARY KEY);
    CREATE TABLE children (id INTEGER PRIMARY KEY, parent REFERENCES parents ON DELETE CASCADE);
    CREATE TABLE checked (id INTEGER PRIMARY KEY, a CHECK (a < 10));
    CREATE TABLE stamped (id INTEGER PRIMARY KEY, a, n DEFAULT 0);
    CREATE TRIGGER stamp AFTER UPDATE OF a ON stamped BEGIN
      UPDATE stamped SET n = n + 1 WHERE id = new.id;
      INSERT INTO loose VALUES ('stamp', new.id);
    END;
    CREATE VIRTUAL TABLE texts USING fts5 (body, content = '');
    CREATE VIRTUAL TABLE words USING fts5 (body);
    CREATE TABLE "it's odd" (id INTEGER PRIMARY KEY, "x""y" TEXT);
    """

  static func create(_ path: String, _ schema: String) throws {
    let connection = try Connection(location: .file(path))
    defer { connection.close() }
    try connection.execute(schema)
  }

  /// Runs groups of writes on the primary, applies each, some twice, and compares.
  private func expectEqual(
    _ groups: [[String]], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let nodes = try ClusterNodes(create: { try Self.create($0, Self.schema) }) { db in
      // A replica must not run it.
      try db.execute(
        """
        CREATE TEMP TRIGGER seen AFTER UPDATE ON main.stamped WHEN new.n < 100 BEGIN
          UPDATE stamped SET n = n + 100 WHERE id = new.id;
        END;
        CREATE TEMP TRIGGER jumped AFTER UPDATE ON main.stamped WHEN old.n = 0 AND new.n > 100 BEGIN
          INSERT INTO plain VALUES (NULL, 'on a replica', new.id);
        END;
        """)
    }
    try nodes.lead(0)
    for group in groups {
      let writes = group.map { sql in
        { @Sendable (db: Connection) throws -> Void in
          // A failed statement in the middle of a write that goes on.
          for statement in sql.split(separator: "~") {
            if statement.hasPrefix("?") {
              try? db.execute(String(statement.dropFirst()))
            } else {
              try db.execute(String(statement))
            }
          }
        }
      }
      let results = try nodes[0].group(writes)
      for case .failure(let error) in results {
        let isOwn = error is SQLiteError || error as? WriteError == .transactionEnded
        #expect(isOwn, "\(error)", sourceLocation: sourceLocation)
      }
      try nodes.catchUp(1)
      if let last = nodes.log.entries.last {
        try again(last, nodes)
      }
    }
    let (primary, replica) = (try nodes.contents(0), try nodes.contents(1))
    for (table, rows) in primary {
      #expect(replica[table] == rows, "\(table)", sourceLocation: sourceLocation)
    }
    #expect(primary.keys == replica.keys)
    let db = try Connection(location: .file(nodes.paths[1]))
    defer { db.close() }
    #expect(try db.value("PRAGMA integrity_check")?.text == "ok", sourceLocation: sourceLocation)
  }

  /// Applies an entry a second time.
  private func again(_ entry: ReplicatedEntry, _ nodes: ClusterNodes) throws {
    let db = try Connection(location: .file(nodes.paths[1]))
    defer { db.close() }
    db.setBusyTimeout(.seconds(5))
    let before = try StoredContents.of(db)
    let applier = try RowApplier(db)
    try db.execute("BEGIN")
    try applier.apply(entry.bytes)
    #expect(try StoredContents.of(db) == before)
    try db.execute("ROLLBACK")
  }

  @Test("Every kind of table and key") func tables() throws {
    try expectEqual([
      [
        "INSERT INTO plain VALUES (1, 'a', x'00ff'), (-5, NULL, 1.5), (9223372036854775807, '', '')",
        "INSERT INTO loose VALUES (NULL, 'a' || char(0) || 'b'), (-0.0, 9e999), (1, 2)",
        "INSERT INTO hidden VALUES ('r', 7, zeroblob(0)), ('r', 7, NULL)",
        "INSERT INTO keyed VALUES ('a', 1, 'x'), ('A', 2, 'x'), ('é', 1.0, NULL)",
        "INSERT INTO ordered (c, k) VALUES (1, 'k'), (2, 'l')",
        "INSERT INTO generated (id, a) VALUES (1, 'x'), (2, 'y')",
        #"INSERT INTO "it's odd" VALUES (3, '"')"#,
      ],
      [
        "UPDATE plain SET id = id - 1", "UPDATE keyed SET a = upper(a), c = c || 'y'",
        "UPDATE hidden SET _rowid_ = _rowid_ + 10", "DELETE FROM loose WHERE a IS NULL",
        "UPDATE ordered SET k = k || 'm', c = 7 WHERE k = 'k'", "UPDATE generated SET a = 'z'",
        #"UPDATE "it's odd" SET "x""y" = NULL"#,
      ],
      ["DELETE FROM plain", "DELETE FROM keyed", "DELETE FROM hidden", "DELETE FROM ordered"],
    ])
  }

  @Test("Unique values that move between rows, whatever the conflict clause") func unique() throws {
    for table in ["plain (id, a)", "replacing (id, a)", "ignoring (id, a)"] {
      let name = String(table.prefix { $0 != " " })
      try expectEqual([
        ["INSERT INTO \(table) VALUES (1, 'x'), (2, 'y'), (3, 'z')"],
        [
          """
          UPDATE \(name) SET a = 'w' WHERE id = 1; UPDATE \(name) SET a = 'x' WHERE id = 2;
          UPDATE \(name) SET a = 'y' WHERE id = 1
          """
        ],
        [
          "DELETE FROM \(name) WHERE id = 3; UPDATE \(name) SET a = 'z' WHERE id = 1",
          "INSERT OR REPLACE INTO \(table) VALUES (9, 'z'), (1, 'y')",
        ],
        [
          "UPDATE \(name) SET id = -id; UPDATE \(name) SET id = 12 + id",
          "INSERT OR REPLACE INTO \(name) SELECT * FROM \(name)",
        ],
        ["INSERT INTO \(table) VALUES (31, 'm')"],
        [
          """
          INSERT INTO \(table) VALUES (30, 'q'); UPDATE \(name) SET a = 'n' WHERE id = 31;
          UPDATE \(name) SET a = 'm' WHERE id = 30
          """
        ],
      ])
    }
    try expectEqual([
      ["INSERT INTO pair VALUES (1, 2), (3, 4), (5, 6)"],
      ["INSERT OR REPLACE INTO pair VALUES (3, 2)", "UPDATE OR REPLACE pair SET b = 6"],
    ])
  }

  @Test("Cascades, triggers, and checks that hold on the primary only") func effects() throws {
    try expectEqual([
      [
        "INSERT INTO parents VALUES (1), (2)",
        "INSERT INTO children VALUES (1, 1), (2, 1), (3, 2)",
        "INSERT INTO stamped (id, a) VALUES (1, 1), (2, 2)",
        "INSERT INTO checked VALUES (1, 1)",
      ],
      ["DELETE FROM parents WHERE id = 1", "UPDATE stamped SET a = a + 1"],
    ])
  }

  @Test("Search indexes") func search() throws {
    try expectEqual([
      ["INSERT INTO texts (rowid, body) VALUES (1, 'milk and tea'), (2, 'milk')"],
      ["INSERT INTO words (body) VALUES ('milk and tea'), ('tea')"],
      ["DELETE FROM words WHERE rowid = 1", "UPDATE words SET body = 'coffee' WHERE rowid = 2"],
      ["INSERT INTO texts (texts, rowid, body) VALUES ('delete', 2, 'milk')"],
      [
        "INSERT INTO words (words) VALUES ('optimize')",
        "INSERT INTO words (words) VALUES ('rebuild')",
      ],
    ])
  }

  @Test("Sequences, also when only they change") func sequences() throws {
    try expectEqual([
      ["INSERT INTO counted (a) VALUES (1), (2)", "DELETE FROM counted"],
      ["INSERT INTO counted (a) VALUES (3)~DELETE FROM counted"],
      ["UPDATE sqlite_sequence SET seq = 50"], ["INSERT INTO counted (a) VALUES (4)"],
      ["DELETE FROM sqlite_sequence"], ["INSERT INTO counted (a) VALUES (5)"],
      ["INSERT INTO sqlite_sequence VALUES ('other', 'x'), ('counted', 7)"],
    ])
  }

  @Test("What was undone is told as it is") func undone() throws {
    try expectEqual([
      ["INSERT INTO plain (id, a) VALUES (1, 'a'), (2, 'b')"],
      [
        // The write fails as a whole.
        "UPDATE plain SET a = 'lost'~SELECT missing()",
        // A statement that fails half-way, in a write that goes on.
        "?INSERT OR FAIL INTO plain VALUES (3, 'c', 0), (4, 'a', 0), (5, 'e', 0)~UPDATE plain SET b = 1",
        "SAVEPOINT s~DELETE FROM plain~ROLLBACK TO s~RELEASE s~INSERT INTO plain (a) VALUES ('z')",
        "INSERT INTO plain (id, a) VALUES (77, '77')~DELETE FROM plain WHERE id = 77",
      ],
    ])
  }

  @Test("Random statements", arguments: 0..<4) func random(_: Int) throws {
    var random = SeededRandom()
    print("row images: seed \(random.seed)")
    let tables = ["plain (id, a)", "replacing (id, a)", "ignoring (id, a)", "pair (a, b)"]
    let or = ["", "", "OR REPLACE ", "OR IGNORE ", "OR FAIL ", "OR ROLLBACK "]
    func value() -> String { random.pick(["1", "2", "3", "'1'", "NULL", "4", "x'01'", "2.0"]) }
    func id() -> Int { Int.random(in: 1...6, using: &random) }
    func statement() -> String {
      let table = random.pick(tables)
      let name = String(table.prefix { $0 != " " })
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1, 2: return "INSERT \(random.pick(or))INTO \(table) VALUES (\(id()), \(value()))"
      case 3: return "UPDATE \(random.pick(or))\(name) SET rowid = \(id()) WHERE rowid = \(id())"
      case 4: return "UPDATE \(random.pick(or))\(name) SET a = \(value()) WHERE rowid > \(id())"
      case 5: return "UPDATE \(random.pick(or))keyed SET b = b + \(id()), a = \(value())"
      case 6:
        return "INSERT \(random.pick(or))INTO keyed VALUES (\(value()), \(id()), \(value()))"
      default: return "DELETE FROM \(random.pick(["keyed", name])) WHERE a = \(value())"
      }
    }
    let groups = (0..<60).map { _ in
      (0..<Int.random(in: 1...4, using: &random)).map { _ in
        (0..<Int.random(in: 1...4, using: &random)).map { _ in "?" + statement() }
          .joined(separator: "~")
      }
    }
    try expectEqual(groups)
  }

  @Test("A table whose rows cannot be told apart is refused, and other writes are not")
  func impossible() throws {
    let nodes = try ClusterNodes(create: { path in
      try Self.create(
        path,
        """
        CREATE TABLE a (rowid, _rowid_, oid);
        CREATE TABLE b (k PRIMARY KEY, v AS (k) VIRTUAL) WITHOUT ROWID;
        CREATE TABLE c (x);
        """)
    })
    try nodes.lead(0)
    let results = try nodes[0].group([
      { try $0.execute("INSERT INTO c VALUES (1)") },
      { try $0.execute("INSERT INTO a VALUES (1, 2, 3)") },
      { try $0.execute("INSERT INTO c VALUES (2)") },
      { try $0.execute("INSERT INTO b VALUES (1)") },
    ])
    #expect(throws: Never.self) { try results[0].get() }
    #expect(throws: Never.self) { try results[2].get() }
    #expect {
      try results[1].get()
    } throws: {
      "\($0)" == "the table a cannot be replicated: its columns hide all names of the row ID"
    }
    #expect(throws: ReplicationError.self) { try results[3].get() }
    try nodes.catchUp(1)
    #expect(try nodes.contents(1) == nodes.contents(0))
  }
}
