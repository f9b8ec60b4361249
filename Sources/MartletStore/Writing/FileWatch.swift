import Synchronization

/// Notices that the database's files are not those any more that were opened: deleted, renamed, or replaced by
/// others. What is written from then on would be lost when the process ends
/// (https://sqlite.org/howtocorrupt.html#_unlinking_or_renaming_a_database_file_while_in_use).
final class FileWatch: Sendable {
  /// The database, its WAL and the WAL's index, with what each was when it was first seen.
  private let files: Mutex<[(path: String, status: FileStatus?)]>

  init(_ path: String) {
    files = Mutex(
      [path, path + "-wal", path + "-shm"].map { ($0, FileStatus($0)) })
  }

  /// The file that is gone or is another one; `nil` where all are what they were. The WAL may come later than
  /// the database.
  func lostFile() -> String? {
    files.withLock { files in
      for place in files.indices {
        let now = FileStatus(files[place].path)
        guard let first = files[place].status else {
          // A database without a file (in memory) is not watched, and neither is its WAL.
          if files[0].status != nil { files[place].status = now }
          continue
        }
        if now != first { return files[place].path }
      }
      return nil
    }
  }
}
