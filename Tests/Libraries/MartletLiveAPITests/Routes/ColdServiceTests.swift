import Foundation
import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletLiveQueries
import MartletSQLite
import MartletStore
import Synchronization
import TestSupport
import Testing

/// The first requests of a service, on all its event loops at once. Each must get the same response
/// as from a service without other requests. Depending on the configuration, loops have their own
/// readers or share those of the database, cache results, or restart a read on a worker after it
/// exceeded its budget.
@Suite("The first requests of a service, at the same time")
struct ColdServiceTests {
  private static let rounds = Effort.rounds(20)
  private static let clients = 8

  /// A service of books with a full-text search.
  private final class Service: Sendable {
    let port: UInt16
    private let server: HTTPServer
    private let database: EmbeddedDatabase

    /// `round` is part of each query's text, so that no statement has been prepared before.
    init(_ folder: TemporaryFolder, round: Int, loops: Int, readers: Int, budget: UInt64) throws {
      var store = Configuration()
      store.loopReaders = readers
      database = try EmbeddedDatabase(
        path: folder.file("books.db"), configuration: store, prepare: { LiveQueries.prepare($0) })
      var settings = API.Settings()
      settings.loopBudget = .nanoseconds(Int64(budget))
      let api = API(database: database, live: LiveQueries(database), settings: settings)
      var router = Router()
      try api.register([Service.search(round), Service.book], on: &router)
      var configuration = HTTPServer.Configuration()
      configuration.host = "127.0.0.1"
      configuration.loops = loops
      server = try HTTPServer(configuration: configuration, router: router)
      port = try server.start()
    }

    deinit {
      server.stop()
      database.close()
    }

    static func fill(_ folder: TemporaryFolder) throws {
      let database = try EmbeddedDatabase(path: folder.file("books.db"))
      try database.write {
        try $0.execute(
          """
          CREATE VIRTUAL TABLE books USING fts5(title, text);
          WITH numbers (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < 200)
          INSERT INTO books (rowid, title, text) SELECT n, 'word ' || n, 'a text of word ' || n FROM numbers;
          """)
      }
      database.close()
    }

    private static func search(_ round: Int) -> Route {
      .read("/search", audience: .everyone) { request, _ in
        var parameters = QueryParameters.ofRead(request)
        let limit = parameters.integer("limit", in: 1...100) ?? 20
        let more = parameters.integer("more", in: 0...1_000_000) ?? 0
        try parameters.finish()
        return LiveSource(request) { db, body in
          var array = JSONArrayWriter(body)
          let rows = try db.rows(
            """
            SELECT rowid, title, highlight(books, 1, '<', '>'), \(round) + \(more)
            FROM books WHERE books MATCH 'word' ORDER BY rowid LIMIT ?
            """, .integer(Int64(limit)))
          for row in rows {
            array.element { write(row, to: $0) }
          }
          array.end()
          return true
        }
      }
    }

    private static let book = Route.read("/books/{id}", audience: .everyone) { request, _ in
      let id = try request.id("id")
      try QueryParameters.ofRead(request).finish()
      return LiveSource(request) { db, body in
        let rows = try db.rows(
          "SELECT rowid, title, text, 0 FROM books WHERE rowid = ?", .integer(Int64(id)))
        guard let row = rows.first else { return false }
        write(row, to: body)
        return true
      }
    }

    private static func write(_ row: Row, to body: ByteBuffer) {
      JSONWriter.object(into: body) { object in
        object.member("id", row[0].integer ?? 0)
        object.member("title", row[1].text ?? "")
        object.member("text", row[2].text ?? "")
        object.member("number", row[3].integer ?? 0)
      }
    }
  }

  private static func expected(_ target: String, _ round: Int) -> String {
    if target.hasPrefix("/books/") {
      let id = target.split(separator: "/")[1]
      return #"{"id":\#(id),"title":"word \#(id)","text":"a text of word \#(id)","number":0}"#
    }
    let more = target.components(separatedBy: "more=").dropFirst().first.flatMap { Int($0) } ?? 0
    let rows = (1...20).map {
      #"{"id":\#($0),"title":"word \#($0)","text":"a text of <word> \#($0)","number":\#(round + more)}"#
    }
    return "[\(rows.joined(separator: ","))]"
  }

  @Test(
    "Responses do not depend on the reader",
    arguments: [(4, 4, 1_000_000_000), (4, 0, 1_000_000_000), (2, 2, 1)])
  func firstRequests(_ loops: Int, _ readers: Int, _ budget: UInt64) throws {
    let folder = try TemporaryFolder()
    try Service.fill(folder)
    for round in 0..<Self.rounds {
      let service = try Service(
        folder, round: round, loops: loops, readers: readers, budget: budget)
      let answers = Mutex<[(target: String, answer: String)]>([])
      let ready = Atomic(0)
      let all = DispatchGroup()
      for number in 0..<Self.clients {
        let client = try RawClient(port: service.port, timeout: 60)
        let targets = [
          "/search", "/search?more=\(round * 8 + number)", "/books/\(number + 1)", "/search",
          "/books/1", "/search",
        ]
        all.enter()
        let connection = Sole(client)
        Thread.detachNewThread {
          defer { all.leave() }
          ready.add(1, ordering: .acquiringAndReleasing)
          while ready.load(ordering: .acquiring) < Self.clients { sched_yield() }
          for target in targets {
            let answer = Result { try connection.value.get(target) }
            answers.withLock {
              $0.append((target, (try? answer.get().text) ?? "\(answer)"))
            }
          }
        }
      }
      all.wait()
      let list = answers.withLock { $0 }
      #expect(list.count == Self.clients * 6)
      for (target, answer) in list where answer != Self.expected(target, round) {
        Issue.record("\(loops) loops, \(readers) readers, round \(round), \(target): \(answer)")
      }
    }
  }

  /// `@unchecked Sendable`: one thread creates the value and only one other thread uses it.
  private struct Sole<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }
}
