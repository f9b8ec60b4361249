import MartletHTTP
import MartletJSON
import MartletLiveQueries
import MartletSQLite
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletLiveAPI

@Suite("The table of kept results") struct HotTableTests {
  @Test("A result is given for its own request alone, also where another one has the same hash")
  func collisions() throws {
    let folder = try TemporaryFolder()
    let database = try EmbeddedDatabase(
      path: folder.file("db"), prepare: { LiveQueries.prepare($0) })
    try database.write { try $0.execute("CREATE TABLE t(a)") }
    let results = HotResults(database)
    let source = LiveSource(key: "all") { db, body in
      body.append(utf8: "\(try db.value("SELECT count(*) FROM t")?.integer ?? -1)")
      return true
    }
    let moment = results.moment
    let buffer = ByteBuffer()
    let reading = try #require(
      try database.read { try results.read(source, $0, into: buffer) })
    let now = Clock.system.now()
    let result = try #require(results.keep(buffer.share(), reading, since: moment, now: now))

    let callers = [Access(Rights(.read)), Access(Rights(.read))]
    func request(
      _ target: String, _ caller: Int, from address: String = "192.0.2.1"
    ) throws -> Request {
      let peer = try #require(Peer(address: address))
      var request = try Request(.get, target: target, peer: peer)
      request.caller = callers[caller]
      return request
    }
    let mine = try request("/notes?limit=1", 0)
    let table = HotTable(results, mostBytes: 1 << 20)
    // The key of the one that is there, whoever asks: as if all of them had its hash.
    let key = HotKey(mine, .caller)
    table.keep(HotRead(result, mine, .caller), key)
    func isFound(_ request: Request) -> Bool {
      table.find(key, request, .caller, .system) != nil
    }
    #expect(isFound(mine))
    #expect(isFound(try request("/notes?limit=1", 0)))
    for target in ["/notes?limit=2", "/notes?limit=10", "/notes"] {
      #expect(!isFound(try request(target, 0)), "\(target)")
    }
    #expect(!isFound(try request("/notes?limit=1", 1)))
    #expect(!isFound(try request("/notes?limit=1", 0, from: "192.0.2.2")))
  }
}
