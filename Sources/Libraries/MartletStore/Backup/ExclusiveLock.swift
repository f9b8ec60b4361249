import Glibc
import MartletSQLite

/// Locks a database file exclusively until released. Its WAL is checkpointed and deleted first.
package final class ExclusiveLock {
  private var owner: Connection?

  /// Locks the file. Throws ``CopyError/inUse(_:)`` if another program has it open.
  package init(_ path: String) throws {
    do throws(SQLiteError) {
      let connection = try Connection(location: .file(path), options: [.readWrite, .noMutex])
      try connection.pragma("locking_mode", set: "EXCLUSIVE")
      // Checkpoints and deletes the WAL, which must not be applied to the file that replaces this
      // one.
      try connection.pragma("journal_mode", set: "DELETE")
      try connection.execute("BEGIN EXCLUSIVE; COMMIT")
      owner = connection
    } catch  where error.isBusy {
      throw CopyError.inUse(path)
    } catch  where [SQLITE_NOTADB, SQLITE_CORRUPT].contains(error.code) {
      // SQLite cannot lock a file that is not a database, but its lock bytes show whether another
      // program uses it.
      guard try !ExclusiveLock.isLocked(path) else { throw CopyError.inUse(path) }
    }
  }

  /// Gives the file free.
  package func release() {
    owner?.close()
    owner = nil
  }

  /// Whether another process holds one of SQLite's locks on the file
  /// (https://sqlite.org/lockingv3.html): while it reads or writes, and in WAL mode while it has
  /// the file open.
  package static func isLocked(_ path: String) throws -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
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
