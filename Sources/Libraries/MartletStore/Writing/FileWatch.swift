import Synchronization

/// Detects that the database's files were deleted, renamed or replaced while open. Writes after
/// that would be lost when the process exits
/// (https://sqlite.org/howtocorrupt.html#_unlinking_or_renaming_a_database_file_while_in_use).
final class FileWatch: Sendable {
  /// The database, its WAL and the WAL index, each with its status when first seen.
  private let files: Mutex<[(path: String, status: FileStatus?)]>

  init(_ path: String) {
    files = Mutex(
      [path, path + "-wal", path + "-shm"].map { ($0, FileStatus($0)) })
  }

  /// The path of a file that was deleted or replaced; `nil` if there is no such file. The WAL may
  /// be created later than the database.
  func lostFile() -> String? {
    files.withLock { files in
      for place in files.indices {
        let now = FileStatus(files[place].path)
        guard let first = files[place].status else {
          // An in-memory database has no file, so neither it nor a WAL is watched.
          if files[0].status != nil { files[place].status = now }
          continue
        }
        if now != first { return files[place].path }
      }
      return nil
    }
  }
}
