import MartletHTTP
import MartletJSON
import MartletLiveQueries
import MartletSQLite
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletLiveAPI

@Suite("The table of the response cache") struct CacheTableTests {
  @Test("A result is returned only for its own request, even if another has the same hash")
  func collisions() throws {
    let folder = try TemporaryFolder()
    let database = try EmbeddedDatabase(
      path: folder.file("db"), prepare: { LiveQueries.prepare($0) })
    let invalidation = database.invalidation
    let token = invalidation.register(Dependencies(), since: invalidation.commit)
    let result = CachedResult(SharedBytes([]), token, made: Clock.system.now(), end: nil)

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
    let table = CacheTable(mostBytes: 1 << 20)
    // All lookups use the key of the cached request, as if all requests had its hash.
    let key = CacheKey(mine, .caller)
    table.keep(CachedResponse(result, mine, .caller), key)
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
