import Foundation
import MartletJSON
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Synchronization
import TestSupport
import Testing

/// Many threads run a query for the first time at once, and must get the same bytes as a single
/// thread.
///
/// A query's first run prints it, prepares it, creates the writer of its rows and, in a process
/// that never ran a similar one, instantiates types and conformances. A race could lose a member of
/// a result: in shared queries and notes, statement caches, growing buffers, or the runtime's
/// types. Most useful under ThreadSanitizer.
@Suite("Queries that run for the first time on many threads")
struct ColdShapesTests {
  private static let rounds = Effort.rounds(60)
  private static let threads = 8

  /// Which columns are selected, and in which form.
  private struct Shape: Hashable {
    var number: Int
    var columns: Int
    var isSearch: Bool
    var isDescending: Bool

    init(_ number: Int) {
      self.number = number
      columns = number * 37 % 64
      isSearch = number % 3 == 0
      isDescending = number % 2 == 0
    }

    /// The member names of its rows, in order.
    var members: [String] {
      ["id", "title", "more"] + (0..<6).filter { columns >> $0 & 1 == 1 }.map { "m\($0)" }
    }
  }

  private static func query(
    _ shape: Shape, _ first: SQLQueryExpression<Int>, _ limit: SQLQueryExpression<Int>
  ) -> Query {
    let select = ColdBook.where { book in
      book.id >= first
      // Makes the SQL of each shape unique.
      SQLQueryExpression<Bool>("\(raw: "\(shape.number)") >= 0")
      if shape.isSearch {
        book.id.in(ColdBookText.where { $0.match("word") }.select(\.rowid))
      }
    }
    .order { if shape.isDescending { $0.id.desc() } else { $0.id } }
    .limit { _ in limit }
    .select { ColdHit.Columns(id: $0.id, title: $0.title) }
    var more: [(String, any QueryExpression)] = [("first", ColdBook.columns.pages)]
    for number in 0..<6 where shape.columns >> number & 1 == 1 {
      let sql: QueryFragment = "(\(ColdBook.columns.title) || \(bind: "\(number)"))"
      more.append(("m\(number)", SQLQueryExpression<String>(sql)))
    }
    return select.query(adding: more, in: "more", kind: .stored)
  }

  private struct Answer: Equatable, Sendable {
    var page: String
    var object: String
  }

  private static func ask(_ query: Query, _ one: Query, _ db: Connection) throws -> Answer {
    // Smaller than any response, so that it grows while it is written.
    let page = ByteBuffer(capacity: 16)
    try db.writeJSON(
      PageQuery(segments: [{ _ in query }], keyCount: 0, limit: 40, fingerprint: 1), into: page)
    let object = ByteBuffer(capacity: 16)
    #expect(try db.writeJSONObject(one, into: object))
    return Answer(
      page: String(decoding: page.bytes, as: UTF8.self),
      object: String(decoding: object.bytes, as: UTF8.self))
  }

  private static func stores() throws -> [(file: TemporaryFile, database: EmbeddedDatabase)] {
    try (0..<2).map { _ in
      let file = try TemporaryFile()
      var settings = Configuration()
      settings.loopReaders = 2
      let database = try EmbeddedDatabase(path: file.path, configuration: settings)
      try database.write {
        try $0.execute(
          """
          CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL, pages INTEGER NOT NULL) STRICT;
          CREATE VIRTUAL TABLE "coldBookTexts" USING fts5("title");
          WITH numbers (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < 50)
          INSERT INTO books SELECT n, 'word ' || n || char(10) || 'é', n * n FROM numbers;
          INSERT INTO "coldBookTexts" (rowid, title) SELECT id, title FROM books;
          """)
      }
      return (file, database)
    }
  }

  /// Runs `body` on threads that start at the same time, and returns their results.
  private static func together<T: Sendable>(
    _ body: @escaping @Sendable (Int) throws -> T
  ) throws -> [T] {
    let results = Mutex([Result<T, any Error>?](repeating: nil, count: threads))
    let ready = Atomic(0)
    let all = DispatchGroup()
    for index in 0..<threads {
      all.enter()
      Thread.detachNewThread {
        ready.add(1, ordering: .acquiringAndReleasing)
        while ready.load(ordering: .acquiring) < threads { sched_yield() }
        let result = Result { try body(index) }
        results.withLock { $0[index] = result }
        all.leave()
      }
    }
    all.wait()
    return try results.withLock { try $0.compactMap { try $0?.get() } }
  }

  @Test("All threads get the same result as a single one")
  func shapes() throws {
    let stores = try Self.stores()
    let databases = stores.map(\.database)
    defer { for database in databases { database.close() } }
    let queries = PreparedQueries<Shape, Int, Int>()
    for number in 0..<Self.rounds {
      let shape = Shape(number)
      let answers = try Self.together { thread in
        let prepared = queries(shape) { Self.query(shape, $0, $1) }
        let body: @Sendable (Connection) throws -> Answer = {
          try Self.ask(prepared(3, 41), prepared(7, 1), $0)
        }
        let database = databases[thread % 2]
        return switch thread / 2 {
        // Two loops, each with its own reader, and two threads with shared readers.
        case 0, 1: try database.withReader(loop: thread / 2, body)
        default: try database.read(body)
        }
      }
      let alone = try Connection(
        location: .file(stores[number % 2].file.path), options: [.readOnly])
      func literal(_ first: Int, _ limit: Int) -> Query {
        Self.query(
          shape, SQLQueryExpression(first.queryFragment), SQLQueryExpression(limit.queryFragment))
      }
      let expected = try Self.ask(literal(3, 41), literal(7, 1), alone)
      #expect(answers == Array(repeating: expected, count: Self.threads), "\(shape)")
      let id = shape.isDescending ? 50 : 7
      #expect(
        expected.object.hasPrefix(
          #"{"id":\#(id),"title":"word \#(id)\né","more":{"first":\#(id * id)"#), "\(expected)")
      let names = try members(JSONValue.parse(expected.object))
      #expect(names == shape.members, "\(expected)")
    }
  }

  /// The member names of a row, followed by the names in its group.
  private func members(_ value: JSONValue) -> [String] {
    guard case .object(let row) = value else { return [] }
    let names = row.members.map(\.name)
    guard case .object(let group)? = row.members.last?.value else { return names }
    return names + group.members.map(\.name).filter { $0 != "first" }
  }

  @Test("Types that the runtime has not instantiated before")
  func types() throws {
    let stores = try Self.stores()
    defer { for store in stores { store.database.close() } }
    let database = stores[0].database
    for number in 0..<min(Self.rounds, 1 << 10) {
      let answers = try Self.together { _ in
        try database.read { try Self.row(number, digits: 10, Int.self, $0) }
      }
      #expect(
        answers
          == Array(
            repeating: #"{"id":7,"value":7,"none":null,"number":\#(number)}"#, count: Self.threads))
    }
  }

  /// A row whose types spell a number in binary, so that each number has its own type.
  private static func row<Base: ColumnRepresentation>(
    _ number: Int, digits: Int, _: Base.Type, _ db: Connection
  ) throws -> String where Base.QueryOutput == Int {
    guard digits == 0 else {
      let isOne = number >> (digits - 1) & 1 == 1
      return isOne
        ? try row(number, digits: digits - 1, One<Base>.self, db)
        : try row(number, digits: digits - 1, Zero<Base>.self, db)
    }
    let queries = PreparedQueries<Int, Base>()
    let prepared = queries(number) { id in
      let columns =
        MacroSupport.selection("id", ColdBook.columns.id)
        + MacroSupport.selection("value", SQLQueryExpression<Base>("\(ColdBook.columns.id)"))
        + MacroSupport.selection("none", SQLQueryExpression<Base?>("NULL"))
        + MacroSupport.selection(
          "number", SQLQueryExpression<One<Base?>>("\(raw: "\(number)")"))
      return Query(
        """
        SELECT \(columns.map(\.fragment).joined(", ")) FROM \(quote: ColdBook.tableName) \
        WHERE \(ColdBook.columns.id) = \(id)
        """, columns: columns.map(\.result))
    }
    let buffer = ByteBuffer(capacity: 16)
    _ = try db.writeJSONObject(prepared(7), into: buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }
}

@Table("books") private struct ColdBook {
  let id: Int
  var title: String
  var pages: Int
}

@Table private struct ColdBookText: FTS5 {
  let rowid: Int
  let title: String
}

@Selection private struct ColdHit {
  let id: Int
  let title: String
}

/// A representation that stores the same as its base.
private struct One<Base: ColumnRepresentation>: ColumnRepresentation {
  var base: Base
  init(queryOutput: Base.QueryOutput) { base = Base(queryOutput: queryOutput) }
  var queryOutput: Base.QueryOutput { base.queryOutput }
  static var kind: ColumnKind { Base.kind }
  static func bind(_ value: Base.QueryOutput) -> QueryBinding { Base.bind(value) }
  static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Base.QueryOutput {
    try Base.decode(&row)
  }
}

/// Another type with the same representation.
private struct Zero<Base: ColumnRepresentation>: ColumnRepresentation {
  var base: Base
  init(queryOutput: Base.QueryOutput) { base = Base(queryOutput: queryOutput) }
  var queryOutput: Base.QueryOutput { base.queryOutput }
  static var kind: ColumnKind { Base.kind }
  static func bind(_ value: Base.QueryOutput) -> QueryBinding { Base.bind(value) }
  static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Base.QueryOutput {
    try Base.decode(&row)
  }
}
