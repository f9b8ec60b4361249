import Glibc
import MartletSQLite

/// The advice about a file that cannot be used, by the `errno` of a system call or the code of
/// SQLite. This is the only table of it.
enum FileRemedy {
  /// The disk is full, or a quota is used up.
  case space
  /// The user may not read or write the file.
  case owner
  /// The disk is mounted read-only.
  case readOnlyDisk
  /// The file is a mount point, as a single file that a container mounts.
  case mountPoint
  /// The disk has failed.
  case disk
  /// Another program holds the lock.
  case lock

  /// `nil` if the code says nothing about what to do.
  init?(errno code: Int32) {
    switch code {
    case ENOSPC, EDQUOT: self = .space
    case EACCES, EPERM: self = .owner
    case EROFS: self = .readOnlyDisk
    case EBUSY: self = .mountPoint
    case EIO: self = .disk
    default: return nil
    }
  }

  /// `nil` if the code says nothing about what to do.
  init?(_ error: SQLiteError) {
    switch error.symbol {
    case "SQLITE_FULL": self = .space
    case "SQLITE_READONLY", "SQLITE_PERM", "SQLITE_CANTOPEN", "SQLITE_AUTH": self = .owner
    case "SQLITE_IOERR": self = .disk
    case "SQLITE_BUSY", "SQLITE_LOCKED": self = .lock
    default: return nil
    }
  }

  /// The sentence that says what is wrong with the file.
  func fault(_ path: String) -> String {
    switch self {
    case .space: "there is no space left for \(path)"
    case .owner: "\(path) or its WAL cannot be opened or written to"
    case .readOnlyDisk: "the disk of \(path) is mounted read-only"
    case .mountPoint: "\(path) cannot be replaced"
    case .disk: "\(path) cannot be read or written"
    case .lock: "another program has locked \(path)"
    }
  }

  /// The sentence that says what to do about it.
  func advice(_ path: String) -> String {
    switch self {
    case .space: "free disk space, or choose another disk"
    case .owner:
      "the user that runs martlet must own \(path), its folder and the files next to it"
    case .readOnlyDisk: "mount it for writing, or choose another disk"
    case .mountPoint: "mount the folder of \(path) instead of the file itself"
    case .disk: "the disk reports an I/O error, see dmesg"
    case .lock: "stop that program, or wait until it has finished"
    }
  }

  /// The text of a failed system call with what to do about it: `Permission denied: the user …`.
  static func cause(_ path: String, _ code: Int32 = errno) -> String {
    let text = String(cString: strerror(code))
    return FileRemedy(errno: code).map { "\(text): \($0.advice(path))" } ?? text
  }
}
