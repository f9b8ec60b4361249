import Glibc

/// A folder that holds files of the service: the database's, the backups'.
enum Folder {
  /// Creates the folder and its parents with mode 0700. Throws a ``Failure`` that names the first one that
  /// cannot be created.
  static func make(_ path: String) throws {
    for folder in chain(path) where mkdir(folder, 0o700) != 0 && errno != EEXIST {
      throw cannotMake(folder)
    }
    guard path.isEmpty || exists(path) else { throw Failure("\(path) is not a folder") }
  }

  /// Throws what ``make(_:)`` would throw, or that files cannot be created there. Leaves nothing behind: the missing
  /// folders are created under a temporary name, and removed.
  static func tryOut(_ path: String) throws {
    let folders = chain(path)
    let missing = folders.drop { exists($0) }
    var status = stat()
    for folder in missing.prefix(1) {
      if lstat(folder, &status) == 0 { throw Failure("\(folder) is not a folder") }
      guard errno == ENOENT else { throw cannotMake(folder) }
    }
    let parent = folders.dropLast(missing.count).last ?? "."
    guard let first = missing.first else { return try tryFile(in: parent) }
    var template = Array("\(parent)/.martlet-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw cannotMake(first) }
    var made = [text(template)]
    defer { for folder in made.reversed() { rmdir(folder) } }
    for folder in missing {
      let name = folder.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) }
      let next = "\(made[made.count - 1])/\(name ?? "")"
      guard mkdir(next, 0o700) == 0 else { throw cannotMake(folder) }
      made.append(next)
    }
  }

  /// Whether there is a folder of this name.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func tryFile(in folder: String) throws {
    var template = Array("\(folder)/.martlet-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else {
      throw Failure("\(folder) cannot be written to: \(String(cString: strerror(errno)))")
    }
    close(file)
    unlink(template)
  }

  /// The folder and those around it, the outermost first.
  private static func chain(_ path: String) -> [String] {
    // By bytes, as the system reads it: a slash with an accent behind it is one, too.
    let slash = UInt8(ascii: "/")
    var folders = path.utf8.first == slash ? ["/"] : []
    for piece in path.utf8.split(separator: slash) {
      let outer = folders.last.map { $0.utf8.last == slash ? $0 : $0 + "/" } ?? ""
      folders.append(outer + Substring(piece))
    }
    return folders
  }

  private static func cannotMake(_ folder: String) -> Failure {
    Failure("the folder \(folder) cannot be created: \(String(cString: strerror(errno)))")
  }

  private static func text(_ bytes: [CChar]) -> String {
    bytes.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }
}
