import CMartletSQLite
import Synchronization

/// A workaround for large journals of statements, savepoints and temporary databases, which SQLite
/// moves from memory to a file.
///
/// SQLite moves them with a single write, and its Unix file system uses only seventeen bits of a
/// write's length: a write of 4 MiB writes nothing and reports a full disk. These files therefore
/// get an `xWrite` that writes in pieces (https://sqlite.org/c3ref/io_methods.html). Other methods
/// and other files are unchanged.
enum SpilledJournal {
  private typealias Write =
    @convention(c) (
      UnsafeMutablePointer<sqlite3_file>?, UnsafeRawPointer?, Int32, sqlite3_int64
    ) -> Int32

  /// A file's methods with the replaced `xWrite`, and the original one. SQLite reads the first
  /// member.
  private struct Methods {
    var methods: sqlite3_io_methods
    let write: Write
  }

  /// The files that start as memory.
  private static let kinds = SQLITE_OPEN_SUBJOURNAL | SQLITE_OPEN_TEMP_JOURNAL
  /// The largest single write.
  private static let piece: Int32 = 64 << 10

  /// The original file system. It is constant and lives as long as the process.
  nonisolated(unsafe) private static let base = sqlite3_vfs_find(nil)
  /// The replacements by the address of the original methods. There are one or two, for the
  /// lifetime of the process.
  private static let made = Mutex<[UInt: UInt]>([:])

  /// Registers a default file system that opens journals with the workaround. Must run before the
  /// first connection.
  static func install() -> Bool {
    guard let base, base.pointee.xOpen != nil else { return false }
    let ours = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    ours.initialize(to: base.pointee)
    ours.pointee.pNext = nil
    ours.pointee.xOpen = { vfs, name, file, flags, outFlags in
      guard let open = SpilledJournal.base?.pointee.xOpen else { return SQLITE_CANTOPEN }
      let code = open(vfs, name, file, flags, outFlags)
      if code == SQLITE_OK, flags & SpilledJournal.kinds != 0, let file {
        SpilledJournal.wrap(&file.pointee)
      }
      return code
    }
    return sqlite3_vfs_register(ours, 1) == SQLITE_OK
  }

  private static func wrap(_ file: inout sqlite3_file) {
    guard let methods = file.pMethods, let write = methods.pointee.xWrite else { return }
    let address = made.withLock { made in
      if let address = made[UInt(bitPattern: methods)] { return address }
      let copy = UnsafeMutablePointer<Methods>.allocate(capacity: 1)
      copy.initialize(to: Methods(methods: methods.pointee, write: write))
      copy.pointee.methods.xWrite = { file, bytes, count, offset in
        SpilledJournal.write(file, bytes, count, offset)
      }
      made[UInt(bitPattern: methods)] = UInt(bitPattern: copy)
      return UInt(bitPattern: copy)
    }
    file.pMethods = UnsafePointer(bitPattern: address)
  }

  private static func write(
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ bytes: UnsafeRawPointer?, _ count: Int32,
    _ offset: sqlite3_int64
  ) -> Int32 {
    guard let methods = file?.pointee.pMethods, let bytes else { return SQLITE_IOERR }
    let write = UnsafeRawPointer(methods).assumingMemoryBound(to: Methods.self).pointee.write
    var done: Int32 = 0
    while done < count {
      let next = min(piece, count - done)
      let code = write(file, bytes + Int(done), next, offset + sqlite3_int64(done))
      guard code == SQLITE_OK else { return code }
      done += next
    }
    return SQLITE_OK
  }
}
