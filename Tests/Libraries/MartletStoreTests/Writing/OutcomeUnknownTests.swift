import Foundation
import MartletSQLite
import MartletStore
import Synchronization
import TestSupport
import Testing

/// A VFS whose WAL files can be made to fail in fsync, for databases with a certain name
/// (https://sqlite.org/vfs.html).
enum FailingDisk {
  static let marker = "fails-on-demand"
  static let isBroken = Atomic<Bool>(false)

  // Written once, by `install`, before a file is opened with it.
  nonisolated(unsafe) private static var system: UnsafeMutablePointer<sqlite3_vfs>!
  nonisolated(unsafe) private static var methods: UnsafeMutablePointer<sqlite3_io_methods>!
  nonisolated(unsafe) private static var systemMethods: sqlite3_io_methods?

  /// Makes it the default VFS of the process. Other files are not affected.
  static let install: Void = {
    system = sqlite3_vfs_find(nil)
    methods = .allocate(capacity: 1)
    let failing = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    failing.initialize(to: system.pointee)
    failing.pointee.zName = UnsafePointer(strdup("failing"))
    failing.pointee.pNext = nil
    failing.pointee.xOpen = { _, name, file, flags, outFlags in
      let code = FailingDisk.system.pointee.xOpen(
        FailingDisk.system, name, file, flags, outFlags)
      // Each kind of file has its own methods, so only the WAL's are replaced.
      guard code == SQLITE_OK, flags & SQLITE_OPEN_WAL != 0, let name,
        String(cString: name).contains(FailingDisk.marker),
        let file, let own = file.pointee.pMethods
      else { return code }
      if FailingDisk.systemMethods == nil {
        FailingDisk.systemMethods = own.pointee
        var changed = own.pointee
        changed.xSync = { file, flags in
          FailingDisk.isBroken.load(ordering: .sequentiallyConsistent)
            ? SQLITE_IOERR | 4 << 8 : FailingDisk.systemMethods!.xSync(file, flags)
        }
        FailingDisk.methods.initialize(to: changed)
      }
      file.pointee.pMethods = UnsafePointer(FailingDisk.methods)
      return code
    }
    sqlite3_vfs_register(failing, 1)
  }()
}

@Suite(.timeLimit(.minutes(10))) struct OutcomeUnknownTests {
  @Test func afterAFailedSyncNothingIsAcknowledgedAndNothingStarts() throws {
    FailingDisk.install
    let file = try TemporaryFile(FailingDisk.marker + ".db")
    let events = Collected<StoreEvent>()
    let database = try EmbeddedDatabase(path: file.path) { _ in
    } onEvent: {
      events.add($0)
    }
    let notices = Collected<CommitNotification>()
    try database.write { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES (1)") }
    database.onCommit { notices.add($0) }

    FailingDisk.isBroken.store(true, ordering: .sequentiallyConsistent)
    let answers = try database.group([
      { try $0.run("INSERT INTO t VALUES (2)") }, { try $0.run("INSERT INTO missing VALUES (2)") },
      { try $0.run("INSERT INTO t VALUES (3)") },
    ])
    // The write that blocked the writer had nothing to sync.
    #expect(notices.now.allSatisfy { $0.tables.isEmpty })
    for index in [0, 2] {
      let error = #expect(throws: WriteError.self) { try answers[index].get() }
      let isUnknown =
        if case .outcomeUnknown(let cause) = error { cause.code == SQLITE_IOERR } else { false }
      #expect(isUnknown, "\(error as Any)")
    }
    // A write that failed on its own gets its own error.
    let own = #expect(throws: SQLiteError.self) { try answers[1].get() }
    #expect(own?.message == "no such table: missing")
    #expect(
      events.now.contains {
        if case .outcomeUnknown(_, writes: 3) = $0 { true } else { false }
      })

    // The disk works again, which proves nothing about the WAL.
    FailingDisk.isBroken.store(false, ordering: .sequentiallyConsistent)
    let error = #expect(throws: WriteError.self) { try database.write { _ in } }
    #expect(error == .stopped)
    database.close()
    // Either all writes of the group are stored or none; acknowledged ones are stored in any case.
    let after = try Connection(location: .file(file.path)).rows("SELECT a FROM t").map { $0[0] }
    #expect(after == [1] || after == [1, 2, 3])
  }
}
