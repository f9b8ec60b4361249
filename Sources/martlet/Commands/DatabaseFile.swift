import Glibc

enum DatabaseFile {
  /// Makes the folder that the file lies in, and those around it. Says what is in the way where the file
  /// could not be opened.
  static func prepare(_ path: String) throws {
    guard !path.isEmpty, path != ":memory:" else {
      throw UsageError("--database is a file, not \"\(path)\"")
    }
    let folder = folder(of: path)
    try makeFolder(folder)
    guard !isFolder(path) else { throw Failure("\(path) is a folder, not a database file") }
    // SQLite makes files of its own beside it.
    for wanted in [folder, path] where access(wanted, W_OK) != 0 && errno != ENOENT {
      throw Failure("\(wanted) cannot be written to: \(String(cString: strerror(errno)))")
    }
  }

  /// Makes a folder, and those around it.
  static func makeFolder(_ path: String) throws {
    var folder = path.hasPrefix("/") ? "/" : ""
    for piece in path.split(separator: "/") {
      folder += (folder.isEmpty || folder.hasSuffix("/") ? "" : "/") + piece
      if mkdir(folder, 0o755) != 0, errno != EEXIST {
        throw Failure("the folder \(folder) cannot be made: \(String(cString: strerror(errno)))")
      }
    }
    guard path.isEmpty || isFolder(path) else { throw Failure("\(path) is no folder") }
  }

  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
