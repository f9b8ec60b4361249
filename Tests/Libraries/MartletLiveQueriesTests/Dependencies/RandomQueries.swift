import MartletSQLite
import TestSupport

/// A schema with every kind of table and column, and random queries and changes of it.
struct RandomQueries {
  static let schema = """
    CREATE TABLE lists(id INTEGER PRIMARY KEY, title TEXT COLLATE NOCASE, color INTEGER);
    CREATE TABLE items(id INTEGER PRIMARY KEY, listID INTEGER REFERENCES lists ON DELETE CASCADE,
      title TEXT, done INTEGER NOT NULL DEFAULT 0, rank REAL);
    CREATE TABLE tags(title TEXT PRIMARY KEY COLLATE NOCASE);
    CREATE TABLE itemTags(itemID INTEGER REFERENCES items ON DELETE CASCADE,
      tag TEXT COLLATE NOCASE REFERENCES tags(title) ON UPDATE CASCADE ON DELETE CASCADE,
      PRIMARY KEY(itemID, tag)) WITHOUT ROWID;
    CREATE TABLE facts(id INTEGER PRIMARY KEY, a INTEGER, b INTEGER AS (a * 2), c TEXT);
    CREATE TABLE loose(k, v);
    CREATE VIEW openItems AS SELECT id, listID, title FROM items WHERE done = 0;
    CREATE VIEW named AS SELECT i.id, l.title FROM items i JOIN lists l ON l.id = i.listID;
    CREATE VIEW blind AS SELECT a.k AS k FROM loose a JOIN loose b USING (k);
    CREATE VIRTUAL TABLE texts USING fts5(title, content='items', content_rowid='id');
    CREATE TRIGGER items_insert AFTER INSERT ON items BEGIN
      INSERT INTO texts(rowid, title) VALUES (new.id, new.title); END;
    CREATE TRIGGER items_update AFTER UPDATE OF title ON items BEGIN
      INSERT INTO texts(texts, rowid, title) VALUES ('delete', old.id, old.title);
      INSERT INTO texts(rowid, title) VALUES (new.id, new.title); END;
    CREATE TRIGGER items_delete AFTER DELETE ON items BEGIN
      INSERT INTO texts(texts, rowid, title) VALUES ('delete', old.id, old.title); END;
    INSERT INTO lists VALUES (1, 'Home', 1), (2, 'work', 2), (3, 'Trip', NULL);
    INSERT INTO tags VALUES ('red'), ('Blue'), ('green');
    INSERT INTO items VALUES (1, 1, 'milk', 0, 1), (2, 1, 'bread', 1, 2.5), (3, 2, 'call', 0, NULL),
      (4, 3, 'pack', 0, 1), (5, NULL, 'lost', 1, 3);
    INSERT INTO itemTags VALUES (1, 'red'), (1, 'blue'), (3, 'green'), (4, 'red');
    INSERT INTO facts(id, a, c) VALUES (1, 1, 'x'), (2, 2, 'y');
    INSERT INTO loose VALUES (1, 'one'), ('1', 'text'), (2.0, 'two'), (NULL, 'none');
    """

  var random: SeededRandom

  private mutating func pick<T>(_ choices: [T]) -> T { choices.randomElement(using: &random)! }
  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }
  private mutating func small() -> Int { Int.random(in: 1...6, using: &random) }

  // MARK: Queries

  /// A query and its bound values.
  mutating func query() -> (sql: String, values: [Value]) {
    var values: [Value] = []
    var sql = select(&values)
    if chance(10) {
      sql += pick([" UNION ", " UNION ALL ", " EXCEPT "]) + select(&values, columns: 1)
    } else if chance(8) {
      sql = "WITH c AS (\(sql)) SELECT count(*) FROM c"
    }
    return (sql, values)
  }

  private mutating func constant(_ text: Bool, _ values: inout [Value]) -> String {
    let value: Value
    if text {
      value = .text(pick(["milk", "Home", "HOME", "red", "RED", "blue", "call", "1", "new"]))
    } else {
      value = pick([
        .integer(Int64(small())), .integer(Int64(small())), .real(Double(small())), .real(2.5),
      ])
    }
    if chance(5) {
      values.append(pick([.null, .text("1"), .integer(1)]))
      return "?"
    }
    if chance(50) {
      values.append(value)
      return "?"
    }
    switch value {
    case .text(let text): return "'\(text)'"
    case .integer(let integer): return "\(integer)"
    case .real(let real): return "\(real)"
    case .null, .blob: return "NULL"
    }
  }

  private struct Named {
    var name: String
    var columns: [(name: String, isText: Bool)]
  }

  private static let tables: [String: [(String, Bool)]] = [
    "lists": [("id", false), ("title", true), ("color", false)],
    "items": [("id", false), ("listID", false), ("title", true), ("done", false), ("rank", false)],
    "tags": [("title", true)], "itemTags": [("itemID", false), ("tag", true)],
    "facts": [("id", false), ("a", false), ("b", false), ("c", true)],
    "loose": [("k", false), ("v", true)],
    "openItems": [("id", false), ("listID", false), ("title", true)],
    "named": [("id", false), ("title", true)], "blind": [("k", false)],
  ]

  private mutating func source(_ alias: String) -> (sql: String, named: Named) {
    let name = pick([
      "items", "items", "items", "lists", "lists", "itemTags", "itemTags", "tags", "facts", "loose",
      "openItems", "named", "blind",
    ])
    let columns = (Self.tables[name] ?? []).map { (name: $0.0, isText: $0.1) }
    let shown = chance(10) ? "(SELECT * FROM \(name))" : chance(10) ? "main.\(name)" : name
    return ("\(shown)\(chance(50) ? " AS" : "") \(alias)", Named(name: alias, columns: columns))
  }

  private mutating func predicate(_ sources: [Named], _ values: inout [Value], depth: Int = 0)
    -> String
  {
    let source = pick(sources)
    let column = pick(source.columns)
    let name = "\(source.name).\(column.name)"
    switch Int.random(in: 0..<16, using: &random) {
    case 0...5: return "\(name) \(pick(["=", "==", "="])) \(constant(column.isText, &values))"
    case 6: return "\(constant(column.isText, &values)) = \(name)"
    case 7: return "\(name) IS \(constant(column.isText, &values))"
    case 8:
      let list = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        constant(column.isText, &values)
      }
      return "\(name) IN (\(list.joined(separator: ", ")))"
    case 9: return "\(name) BETWEEN 1 AND \(constant(column.isText, &values))"
    case 10: return "CASE WHEN \(name) = 1 AND 1 THEN 1 ELSE \(name) = 2 END"
    case 11 where depth < 2:
      return
        "(\(predicate(sources, &values, depth: depth + 1)) OR \(predicate(sources, &values, depth: depth + 1)))"
    case 12 where depth < 2:
      return
        "(\(predicate(sources, &values, depth: depth + 1)) AND \(predicate(sources, &values, depth: depth + 1)))"
    case 13 where depth < 2: return "NOT (\(predicate(sources, &values, depth: depth + 1)))"
    case 14:
      let other = pick(sources)
      return "\(name) = \(other.name).\(pick(other.columns).name)"
    default:
      let key = pick(sources)
      guard let id = key.columns.first(where: { !$0.isText }) else { return "\(name) IS NOT NULL" }
      let tag = chance(50) ? " AND s.tag = \(constant(true, &values))" : ""
      return
        "\(pick(["EXISTS", "NOT EXISTS", "1 IN"])) (SELECT 1 FROM itemTags s WHERE s.itemID = \(key.name).\(id.name)\(tag))"
    }
  }

  private mutating func select(_ values: inout [Value], columns: Int? = nil) -> String {
    let (first, named) = source("p")
    var sources = [named]
    var tail = " FROM \(first)"
    var tailValues: [Value] = []
    if chance(40) {
      let (second, other) = source("q")
      let shared = named.columns.map(\.name).filter { other.columns.map(\.name).contains($0) }
      sources.append(other)
      let join = pick([" JOIN ", " LEFT JOIN ", " JOIN ", " RIGHT JOIN ", " FULL JOIN ", ", "])
      if join == ", " {
        tail += ", \(second)"
      } else if chance(15), let column = shared.first {
        tail += "\(join)\(second) USING (\(column))"
      } else if chance(8) {
        tail += " NATURAL\(join)\(second)"
      } else {
        tail += "\(join)\(second) ON \(predicate(sources, &tailValues))"
        if chance(50) { tail += " AND \(predicate(sources, &tailValues))" }
      }
    }
    if chance(75) {
      tail += " WHERE \(predicate(sources, &tailValues))"
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        tail += " \(chance(85) ? "AND" : "OR") \(predicate(sources, &tailValues))"
      }
    }
    if columns == nil, chance(10), named.columns.contains(where: { $0.name == "id" }) {
      tail +=
        "\(tail.contains(" WHERE ") ? " AND" : " WHERE") p.id IN (SELECT rowid FROM texts WHERE texts MATCH 'milk OR new')"
    }
    let isCount = columns == nil && chance(15)
    var items: [String] = []
    if isCount {
      items = ["count(*)"]
    } else {
      for _ in 0..<(columns ?? Int.random(in: 1...3, using: &random)) {
        let source = pick(sources)
        items.append("\(source.name).\(pick(source.columns).name)")
      }
      if columns == nil, let id = named.columns.first(where: { !$0.isText }), chance(30) {
        items.append("p.\(id.name)")
        items.append(
          "(SELECT group_concat(s.tag) FROM itemTags s WHERE s.itemID = p.\(id.name)) AS labels")
        if chance(15) { tail += " ORDER BY labels, 1, 2 LIMIT 2" }
      }
    }
    if columns == nil, !isCount, !tail.contains(" ORDER BY "), chance(25) {
      // Ordered by all columns, so that a limit leaves defined rows.
      let order = chance(50) ? items : (1...items.count).map { "\($0)" }
      tail +=
        " ORDER BY \(order.map { $0.hasSuffix(" AS labels") ? "labels" : $0 }.joined(separator: ", ")) LIMIT \(small())"
    }
    values += tailValues
    return
      "SELECT \(columns == nil && chance(8) ? "DISTINCT " : "")\(items.joined(separator: ", "))\(tail)"
  }

  // MARK: Changes

  mutating func change() -> String {
    let id = small()
    let title = pick(["'milk'", "'new'", "'Home'", "'HOME'", "'call'", "NULL"])
    return pick([
      "UPDATE items SET title = \(title) WHERE id = \(id)",
      "UPDATE items SET done = 1 - done WHERE id = \(id)",
      "UPDATE items SET rank = \(small()) WHERE id = \(id)",
      "UPDATE OR IGNORE items SET listID = \(Int.random(in: 1...3, using: &random)) WHERE id = \(id)",
      "UPDATE OR IGNORE items SET id = \(id) WHERE id = \(small())",
      "INSERT OR IGNORE INTO items VALUES (\(id), \(Int.random(in: 1...3, using: &random)), \(title), 0, \(small()))",
      "REPLACE INTO items VALUES (\(id), NULL, \(title), 1, 2.5)",
      "INSERT INTO items VALUES (\(id), NULL, \(title), 0, 1) ON CONFLICT DO UPDATE SET title = excluded.title",
      "DELETE FROM items WHERE id = \(id)", "DELETE FROM lists WHERE id = \(id)",
      "UPDATE lists SET title = \(title) WHERE id = \(id)",
      "UPDATE lists SET color = \(small()) WHERE id = \(id)",
      "INSERT OR IGNORE INTO lists VALUES (\(id), \(title), NULL)",
      "UPDATE OR IGNORE tags SET title = \(pick(["'red'", "'RED'", "'pink'"])) WHERE title = \(pick(["'red'", "'blue'"]))",
      "DELETE FROM tags WHERE title = 'blue'",
      "INSERT OR IGNORE INTO tags VALUES ('red'), ('Blue')",
      "INSERT OR IGNORE INTO itemTags SELECT \(id), title FROM tags WHERE EXISTS (SELECT 1 FROM items WHERE id = \(id)) LIMIT 1",
      "DELETE FROM itemTags WHERE itemID = \(id)", "DELETE FROM itemTags",
      "UPDATE OR IGNORE itemTags SET itemID = \(id) WHERE itemID = \(small()) AND \(id) IN (SELECT id FROM items)",
      "UPDATE facts SET a = \(small()) WHERE id = \(id)",
      "UPDATE facts SET c = 'z' WHERE id = \(id)",
      "INSERT OR REPLACE INTO facts(id, a, c) VALUES (\(id), \(small()), 'x')",
      "UPDATE loose SET k = \(pick(["1", "'1'", "1.0", "NULL"])) WHERE v = 'one'",
      "UPDATE loose SET v = 'two' WHERE k = 2", "INSERT INTO loose VALUES (\(small()), 'new')",
      "DELETE FROM loose WHERE v = 'new'",
    ])
  }
}
