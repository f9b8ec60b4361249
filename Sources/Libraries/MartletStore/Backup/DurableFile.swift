import Glibc
import MartletSQLite

/// Creates files that are synced to disk before they appear under their final name.
package enum DurableFile {
  static let companions = ["-wal", "-shm", "-journal"]

  /// Creates an empty file that only its owner may read.
  static func create(_ path: String) throws(CopyError) {
    remove(path)
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .file(path, errno) }
    close(descriptor)
  }

  /// Deletes a file and the files that SQLite may have created next to it.
  package static func remove(_ path: String) {
    for ending in [""] + companions { unlink(path + ending) }
  }

  /// Syncs a finished file and renames it, with the owner of `model` and with `mode`. Returns its
  /// size.
  static func place(
    _ temporary: String, at path: String, like model: FileStatus, mode: mode_t
  ) throws(CopyError) -> Int {
    let bytes = try sync(temporary, like: model, mode: mode)
    // Before the rename: SQLite would take a WAL left there for the new file's.
    for ending in companions { unlink(path + ending) }
    let folder = folder(of: path)
    try sync(folder)
    guard rename(temporary, path) == 0 else { throw .file(path, errno) }
    try sync(folder)
    return bytes
  }

  /// Checks a database that was copied from elsewhere, and renames it. Throws if it is damaged or
  /// belongs to no cluster.
  package static func take(_ temporary: String, at path: String) throws {
    let connection = try Connection(location: .file(temporary))
    defer { connection.close() }
    guard try NodePosition(connection) != nil else { throw ReplicationError.otherCluster }
    try DatabaseCopy.checkPages(connection)
    connection.close()
    guard let model = FileStatus(temporary) else { throw CopyError.missing(temporary) }
    _ = try place(temporary, at: path, like: model, mode: 0o600)
  }

  /// Writes a small file, in place of an existing one, that only its owner may read.
  package static func write(_ content: [UInt8], to path: String) throws(CopyError) {
    let temporary = path + ".new"
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .file(temporary, errno) }
    defer { close(descriptor) }
    let count = content.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    guard count == content.count else { throw .file(temporary, count < 0 ? errno : ENOSPC) }
    guard fsync(descriptor) == 0 else { throw .file(temporary, errno) }
    guard rename(temporary, path) == 0 else { throw .file(path, errno) }
    try sync(folder(of: path))
  }

  /// The content of a small file; `nil` if it does not exist.
  package static func read(_ path: String, limit: Int) throws(CopyError) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .file(path, errno)
    }
    defer { close(descriptor) }
    var error: Int32 = 0
    let content = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      while count < limit {
        let read = Glibc.read(descriptor, buffer.baseAddress! + count, limit - count)
        if read < 0 { error = errno }
        guard read > 0 else { return }
        count += read
      }
    }
    guard error == 0 else { throw .file(path, error) }
    return content
  }

  /// The directory that contains a file.
  package static func folder(of path: String) -> String {
    // Compares bytes, as the system does: a slash followed by a combining accent is also a
    // separator.
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Syncs a file or directory and returns its size.
  @discardableResult
  static func sync(
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

/// The identity, owner and mode of the file at a path; `nil` if there is no file.
package struct FileStatus: Equatable {
  private let device: dev_t
  private let inode: ino_t
  let mode: mode_t
  let owner: uid_t
  let group: gid_t
  /// Whether the path is a directory.
  package let isFolder: Bool

  /// The mode for a copy. If the source is readable by all users, which is usually an unintended
  /// default, the copy is readable by its owner only.
  var modeOfCopy: mode_t { mode & 0o004 == 0 ? mode : mode & 0o600 }

  /// Reads the status of a file, following symbolic links. Returns `nil` if it does not exist.
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

  /// Whether both are the same file, by device and inode.
  package static func == (one: FileStatus, other: FileStatus) -> Bool {
    one.device == other.device && one.inode == other.inode
  }
}

extension statvfs {
  /// The space available to unprivileged users, in bytes.
  package var freeBytes: Int { bytes(UInt64(f_bavail)) }
  /// The size of the disk, in bytes.
  package var allBytes: Int { bytes(UInt64(f_blocks)) }

  private func bytes(_ blocks: UInt64) -> Int {
    let (bytes, isMore) = blocks.multipliedReportingOverflow(by: UInt64(f_frsize))
    return isMore ? .max : Int(clamping: bytes)
  }
}

/// Folders of the file system.
package enum Directory {
  /// The names of what a folder contains, in no order; empty if it cannot be read.
  package static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
