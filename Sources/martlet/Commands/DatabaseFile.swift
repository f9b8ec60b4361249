import Glibc

enum DatabaseFile {
  /// Makes the folder that the file lies in, and those around it. Says what is in the way where the file
  /// could not be opened.
  static func makeFolder(of path: String) throws {
    guard !path.isEmpty, path != ":memory:" else {
      throw UsageError("--database is a file, not \"\(path)\"")
    }
    var folder = path.hasPrefix("/") ? "/" : ""
    for piece in path.split(separator: "/").dropLast() {
      folder += (folder.isEmpty || folder.hasSuffix("/") ? "" : "/") + piece
      if mkdir(folder, 0o755) != 0, errno != EEXIST {
        throw Failure("the folder \(folder) cannot be made: \(String(cString: strerror(errno)))")
      }
    }
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw Failure("\(path) is a folder, not a database file")
    }
    // SQLite makes files of its own beside it.
    let place = folder.isEmpty ? "." : folder
    for wanted in [place, path] where access(wanted, W_OK) != 0 && errno != ENOENT {
      throw Failure("\(wanted) cannot be written to: \(String(cString: strerror(errno)))")
    }
  }
}
