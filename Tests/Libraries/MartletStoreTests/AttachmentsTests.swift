import Dispatch
import MartletStore
import Synchronization
import TestSupport
import Testing

@Suite("Objects attached to a database")
struct AttachmentsTests {
  private final class Note: Sendable {}
  private final class Other: Sendable {}

  private let file: TemporaryFile
  private let database: EmbeddedDatabase

  init() throws {
    file = try TemporaryFile()
    database = try EmbeddedDatabase(path: file.path)
  }

  @Test("All callers get the same object of a type while one of them holds it")
  func identity() throws {
    let note = database.attachment { Note() }
    #expect(database.attachment { Note() } === note)
    _ = database.attachment { Other() }
    #expect(database.attachment(of: Note.self) { Note() } === note)
    let another = try EmbeddedDatabase(path: file.folder + "/another.db")
    #expect(another.attachment { Note() } !== note)
  }

  @Test("An object that is no longer held is deallocated and created again on request")
  func release() {
    weak var first: Note?
    do {
      let note = database.attachment { Note() }
      first = note
    }
    #expect(first == nil)
    let made = Mutex(0)
    for _ in 0..<3 {
      _ = database.attachment {
        made.withLock { $0 += 1 }
        return Note()
      }
    }
    #expect(made.withLock { $0 } == 3)
  }

  @Test("Concurrent callers get the same object")
  func race() {
    let held = Mutex<[Note]>([])
    DispatchQueue.concurrentPerform(iterations: 100) { _ in
      let note = database.attachment { Note() }
      held.withLock { $0.append(note) }
    }
    #expect(Set(held.withLock { $0 }.map(ObjectIdentifier.init)).count == 1)
  }

  private final class Listener: Sendable {
    let heard = Mutex(0)
  }

  @Test("A listener is notified of commits while it lives and is held weakly")
  func listening() throws {
    weak var gone: Listener?
    let calls = Mutex(0)
    do {
      let listener = Listener()
      gone = listener
      database.onCommit(while: listener) { listener, _ in
        listener.heard.withLock { $0 += 1 }
        calls.withLock { $0 += 1 }
      }
      try database.write { try $0.execute("CREATE TABLE t (a)") }
      try database.write { try $0.run("INSERT INTO t VALUES (1)") }
      #expect(listener.heard.withLock { $0 } == 2)
    }
    #expect(gone == nil)
    try database.write { try $0.run("INSERT INTO t VALUES (2)") }
    #expect(calls.withLock { $0 } == 2)
  }

  @Test("A commit handler may release the last reference to its database")
  func lastReference() throws {
    let told = DispatchSemaphore(value: 0)
    final class Owner: Sendable {
      let database: Mutex<EmbeddedDatabase?>
      init(_ database: EmbeddedDatabase) { self.database = Mutex(database) }
    }
    let answers = Collected<Bool>()
    do {
      let owner = Owner(try EmbeddedDatabase(path: file.folder + "/own.db"))
      let database = try #require(owner.database.withLock { $0 })
      database.onCommit { _ in
        told.wait()
        // The test has released its references, so this closes the database on its writer's thread,
        // inside a group.
        owner.database.withLock { $0 = nil }
      }
      try database.submit(write: { try $0.execute("CREATE TABLE t (a)") }) {
        answers.add((try? $0.get()) != nil)
      }
    }
    told.signal()
    #expect(answers.wait() == [true])
    let after = try EmbeddedDatabase(path: file.folder + "/own.db")
    #expect(try after.read { try $0.value("SELECT count(*) FROM t") } == .integer(0))
  }
}
