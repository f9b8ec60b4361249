// Compares the query builder with SQLite's C API doing the same work: `make bench-queries`.
//
// `ARGS="100 join"` runs 100 rounds of the cases whose name contains "join". Each round runs both
// sides, one after the other, so that other load on the machine affects both alike. The ratio is
// that of the medians. Before the first round, both sides must have the same result. `ARGS=1` is a
// run of one round, which measures nothing but tells whether they have.

import CBaseline
import Glibc
import MartletJSON
import MartletQueryBuilder
import MartletSQLite
import MartletStore

@Table("items")
struct Item {
  let id: Int
  var listID: Int
  var title: String
  var notes: String
  var due: String?
  var priority: Int?
  var isFlagged: Bool
  var status: Int
}

@Table("lists")
struct List {
  let id: Int
  var title: String
}

let rowCount = 10_000
let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 60

let wanted = CommandLine.arguments.dropFirst(2).first ?? ""

let db = try Connection(location: .inMemory)
try db.execute(
  """
  CREATE TABLE lists (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
  CREATE TABLE items (
    id INTEGER PRIMARY KEY, listID INTEGER NOT NULL, title TEXT NOT NULL, notes TEXT NOT NULL,
    due TEXT, priority INTEGER, isFlagged INTEGER NOT NULL, status INTEGER NOT NULL) STRICT;
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rowCount))
  INSERT INTO items SELECT i, i % 20, 'Water the plants in room ' || i,
    CASE i % 3 WHEN 0 THEN '' ELSE 'Not the "cactus":' || char(10) || 'it has had enough.' END,
    CASE i % 2 WHEN 0 THEN '2026-02-28 13:45:30.250' END, nullif(i % 4, 0), i % 5 = 0, i % 3 FROM n
  """)

/// Collects results, so that the optimizer cannot remove the work.
var sink = 0

@MainActor func raw(_ sql: String) -> OpaquePointer {
  var statement: OpaquePointer?
  precondition(sqlite3_prepare_v2(db.handle, sql, -1, &statement, nil) == SQLITE_OK)
  return statement!
}

func microseconds(_ body: () throws -> Void) rethrows -> Double {
  let clock = ContinuousClock()
  let start = clock.now
  try body()
  let (seconds, attoseconds) = (clock.now - start).components
  return Double(seconds) * 1e6 + Double(attoseconds) / 1e12
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func fixed(_ value: Double, _ digits: Int, width: Int) -> String {
  var scale = 1.0
  for _ in 0..<digits { scale *= 10 }
  let scaled = Int((value * scale).rounded())
  var text = digits == 0 ? "\(scaled)" : "\(scaled / Int(scale))."
  if digits > 0 {
    let rest = String(scaled % Int(scale))
    text += String(repeating: "0", count: digits - rest.count) + rest
  }
  return String(repeating: " ", count: max(0, width - text.count)) + text
}

/// Both sides return a number that depends on their result.
@MainActor func compare(
  _ name: String, aim: String, c: () -> Int, swift: () throws -> Int
) throws {
  guard name.contains(wanted) || wanted.isEmpty else { return }
  var ours: [Double] = []
  var theirs: [Double] = []
  let (expected, found) = (c(), try swift())
  guard expected == found else {
    print("\(name): Swift has the result \(found) instead of \(expected)")
    exit(1)
  }
  for _ in 0..<rounds {
    theirs.append(microseconds { sink &+= c() })
    ours.append(try microseconds { sink &+= try swift() })
  }
  let (a, b) = (median(theirs), median(ours))
  print(
    "\(name) | \(fixed(a, 0, width: 8)) | \(fixed(b, 0, width: 8)) | \(fixed(b / a, 2, width: 5)) | \(aim)"
  )
}

@MainActor func alone(_ name: String, aim: String, times: Int = 2_000, _ body: () -> Int) {
  guard name.contains(wanted) || wanted.isEmpty else { return }
  var each: [Double] = []
  for _ in 0..<rounds {
    each.append(microseconds { for _ in 0..<times { sink &+= body() } } / Double(times))
  }
  print("\(name) |        – | \(fixed(median(each), 2, width: 8)) |     – | \(aim)")
}

let all = "SELECT id, listID, title, notes, due, priority, isFlagged, status FROM items"
let cAll = raw(all)
let cByID = raw(all + " WHERE id = ?")
let items = Item.all
let byID = PreparedQuery<Int> { id in Item.find(id) }
let byIDRows = Item.find(1)
let buffer = ByteBuffer()

print("                                   |     C µs | Swift µs | ratio | target")
try compare(
  "10,000 rows into structs          ", aim: "at most 1.8",
  c: { Int(baseline_structs(cAll)) },
  swift: {
    var sum = 0
    for item in try items.fetchAll(db) { sum &+= item.id &+ item.status }
    return sum
  })
let json = JSONRows(items.query.columns)
try compare(
  "10,000 rows straight to JSON      ", aim: "at most 1.05",
  c: { Int(baseline_json(cAll)) },
  swift: {
    buffer.removeAll(keepingCapacityUpTo: .max)
    let statement = try db.statement(for: items.query)
    buffer.append("[")
    var isFirst = true
    while try statement.step() {
      if !isFirst { buffer.append(",") }
      isFirst = false
      json.write(statement, into: buffer)
    }
    buffer.append("]")
    statement.reset()
    return buffer.count
  })
try compare(
  "10,000 rows by key, query prepared", aim: "",
  c: { Int(baseline_by_id(cByID, Int32(rowCount))) },
  swift: {
    var sum = 0
    for id in 1...rowCount {
      let statement = try db.statement(for: byID(id))
      if try statement.step() {
        sum &+= Int(statement.int64(at: 0)) &+ Int(statement.int64(at: 7))
        sink &+= statement.text(at: 2)?.utf8.count ?? 0
      }
      statement.reset()
    }
    return sum
  })
alone("build and print a find            ", aim: "") {
  Item.find(7).query.fragment.prepare().bindings.count
}
alone("build and print a two-way join    ", aim: "under 3 µs") {
  Item.join(List.all) { $0.listID.eq($1.id) }.where { item, _ in item.isFlagged }
    .select { ($0.title, $1.title) }.query.fragment.prepare().bindings.count
}
alone("the same, its shape cached        ", aim: "nothing repeated") { byID(7).values.count }
