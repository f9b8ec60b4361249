import MartletHTTP
import MartletLiveAPI
import MartletSQLite
import MartletStore
import TestSupport
import Testing

@Suite("Readiness of a service", .timeLimit(.minutes(10))) struct ReadinessTests {
  @Test(
    "A service is not ready while another program locks the file, and recovers without a write")
  func locked() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.db")
    let migrator = Migrator([
      Migration(number: 1, name: "t", sql: "CREATE TABLE t(a INTEGER) STRICT")
    ])
    let insert = Route.write(.post, "/t") { _, _ in
      WriteRoute.Work { db in
        try db.run("INSERT INTO t VALUES (1)")
        return .done
      }
    }
    var service = Service(path: path, migrator: migrator, routes: [insert])
    service.database.busyTimeout = .milliseconds(20)
    service.server.loops = 1
    let running = try service.open()
    let client = try RawClient(port: running.start())
    defer {
      running.server.stop()
      running.close()
    }
    #expect(try client.get("/readyz").status == 200)
    let other = try Connection(location: .file(path))
    try other.execute("BEGIN IMMEDIATE")
    #expect(try client.request("POST", "/t", body: "{}").status == 503)
    for _ in 0..<20 {
      let answer = try client.get("/readyz")
      #expect(answer.status == 503 && answer.text.contains("Another program"))
    }
    try other.execute("ROLLBACK")
    while try client.get("/readyz").status != 200 {}
    #expect(try client.request("POST", "/t", body: "{}").status == 204)
  }
}
