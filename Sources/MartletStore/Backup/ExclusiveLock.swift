import Glibc
import MartletSQLite

/// A database file that nobody else uses as long as this is held, and whose log is in it.
final class ExclusiveLock {
  private var owner: Connection?

  /// Throws ``CopyError/inUse(_:)`` where somebody has it open.
  init(_ path: String) throws {
    do throws(SQLiteError) {
      let connection = try Connection(location: .file(path), options: [.readWrite, .noMutex])
      try connection.pragma("locking_mode", set: "EXCLUSIVE")
      // Copies the log into the file, and removes it: it must not be taken for that of the file to come.
      try connection.pragma("journal_mode", set: "DELETE")
      try connection.execute("BEGIN EXCLUSIVE; COMMIT")
      owner = connection
    } catch  where error.isBusy {
      throw CopyError.inUse(path)
    } catch  where [SQLITE_NOTADB, SQLITE_CORRUPT].contains(error.code) {
      // SQLite cannot tell who uses what is no database, but its locks can.
      guard try !ExclusiveLock.isLocked(path) else { throw CopyError.inUse(path) }
    }
  }

  func release() {
    owner?.close()
    owner = nil
  }

  /// Whether another process holds one of the locks that SQLite has on a file
  /// (https://sqlite.org/lockingv3.html): whoever reads or writes, and in WAL mode whoever has it open.
  private static func isLocked(_ path: String) throws -> Bool {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw CopyError.file(path, errno) }
    defer { close(descriptor) }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = 0x4000_0000
    lock.l_len = 512
    guard fcntl(descriptor, F_GETLK, &lock) == 0 else { throw CopyError.file(path, errno) }
    return lock.l_type != Int16(F_UNLCK)
  }
}
