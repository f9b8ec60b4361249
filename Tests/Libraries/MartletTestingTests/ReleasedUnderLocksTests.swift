import Martlet
import MartletTesting
import Testing

/// A closure that the library drops can hold the last reference to an object whose `deinit` calls
/// the library again. It must not be released while the lock of that part is held: Swift's Mutex
/// ends the process then.
@Suite("Closures that hold other registrations") struct ReleasedUnderLocksTests {
  private final class Holder<Value: Sendable>: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  private final class Listening: Sendable {
    let database: any ServerDatabase
    init(_ database: any ServerDatabase) { self.database = database }
    deinit { database.onCommit { _ in } }
  }

  private func database(_ folder: TemporaryFolder) throws -> EmbeddedDatabase {
    try EmbeddedDatabase(path: folder.file("a.db")) { LiveQueries.prepare($0) }
  }

  @Test("A subscription ends with the one whose handler holds it")
  func subscriptions() throws {
    let folder = try TemporaryFolder()
    let database = try database(folder)
    defer { database.close() }
    let live = LiveQueries(database)
    func source(_ key: String) -> LiveSource {
      LiveSource(key: key) { _, body in
        body.append("{}")
        return true
      }
    }
    var holder: Holder<Subscription>? = Holder(live.subscribe(source("a")) { _ in })
    let outer = live.subscribe(source("b")) { [holder] _ in _ = holder }
    holder = nil
    outer.cancel()
    #expect(holder == nil)
  }

  @Test("An entry of an agenda ends with the handler that is replaced")
  func entries() {
    let agenda = Agenda()
    let entry = agenda.entry()
    var other: Holder<Agenda.Entry>? = Holder(agenda.entry())
    entry.whenDue { [other] _, _ in _ = other }
    other = nil
    entry.whenDue { _, _ in }
    #expect(other == nil)
  }

  @Test("A commit's handler that is removed may add another one")
  func listeners() throws {
    let folder = try TemporaryFolder()
    let database = try database(folder)
    defer { database.close() }
    var token: Holder<Int>? = Holder(1)
    do {
      let listening = Listening(database)
      database.onCommit(while: try #require(token)) { [listening] _, _ in _ = listening }
    }
    token = nil
    try database.write { try $0.execute("CREATE TABLE x (a)") }
    try database.write { try $0.execute("INSERT INTO x VALUES (1)") }
    #expect(try database.read { try $0.value("SELECT count(*) FROM x")?.integer } == 1)
    #expect(token == nil)
  }
}
