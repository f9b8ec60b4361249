import Glibc

/// Files that are on the disk when they are in their place.
package enum DurableFile {
  private static let companions = ["-wal", "-shm", "-journal"]

  /// An empty file that nobody else may read yet.
  static func create(_ path: String) throws(CopyError) {
    remove(path)
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .file(path, errno) }
    close(descriptor)
  }

  /// With what SQLite may have put beside it.
  static func remove(_ path: String) { for ending in [""] + companions { unlink(path + ending) } }

  /// Gives a finished file its name, the owner that `model` has, and `mode`. Gives its size.
  static func place(
    _ temporary: String, at path: String, like model: FileStatus, mode: mode_t
  ) throws(CopyError) -> Int {
    let bytes = try sync(temporary, like: model, mode: mode)
    // Before the name is given: a log that is left there would be taken for the new file's.
    for ending in companions { unlink(path + ending) }
    let folder = folder(of: path)
    try sync(folder)
    guard rename(temporary, path) == 0 else { throw .file(path, errno) }
    try sync(folder)
    return bytes
  }

  /// The folder that a file lies in.
  package static func folder(of path: String) -> String {
    // By bytes, as the system reads it: a slash with an accent behind it is one, too.
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Gives the size.
  @discardableResult
  private static func sync(
    _ path: String, like model: FileStatus? = nil, mode: mode_t = 0o600
  ) throws(CopyError) -> Int {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file(path, errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .file(path, errno) }
    if let model {
      if status.st_uid != model.owner || status.st_gid != model.group,
        fchown(descriptor, model.owner, model.group) != 0
      {
        throw .file(path, errno)
      }
      guard fchmod(descriptor, mode) == 0 else { throw .file(path, errno) }
    }
    guard fsync(descriptor) == 0 else { throw .file(path, errno) }
    return Int(status.st_size)
  }
}

/// Which file a path leads to, and whose it is; `nil` where there is none.
package struct FileStatus: Equatable {
  private let device: dev_t
  private let inode: ino_t
  let mode: mode_t
  let owner: uid_t
  let group: gid_t
  package let isFolder: Bool

  /// The mode of a copy. One that everybody may read is what a program left that did not think of it: the copy is
  /// for its owner alone.
  var modeOfCopy: mode_t { mode & 0o004 == 0 ? mode : mode & 0o600 }

  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = status.st_dev
    inode = status.st_ino
    mode = status.st_mode & 0o777
    owner = status.st_uid
    group = status.st_gid
    isFolder = status.st_mode & S_IFMT == S_IFDIR
  }

  package static func == (one: FileStatus, other: FileStatus) -> Bool {
    one.device == other.device && one.inode == other.inode
  }
}

extension statvfs {
  /// What is left for others than root.
  package var freeBytes: Int {
    let (bytes, isMore) = UInt64(f_bavail).multipliedReportingOverflow(by: UInt64(f_frsize))
    return isMore ? .max : Int(clamping: bytes)
  }
}
