import Glibc

/// The folders of the server's files: of the database and of the backups.
enum Folder {
  /// Creates the folder and its parents with mode 0700.
  ///
  /// Throws a ``Failure`` that names the first folder that cannot be created.
  static func make(_ path: String) throws {
    for folder in chain(path) where mkdir(folder, 0o700) != 0 && errno != EEXIST {
      throw cannotMake(folder)
    }
    guard path.isEmpty || exists(path) else { throw Failure("\(path) is not a folder") }
  }

  /// Throws the errors of ``make(_:)``, and an error if files cannot be created in the folder.
  ///
  /// Changes nothing: missing folders are created under a temporary name and then removed.
  static func checkWritable(_ path: String) throws {
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

  /// Whether a folder exists at this path.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func tryFile(in folder: String) throws {
    var template = Array("\(folder)/.martlet-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else {
      throw Failure("\(folder) cannot be written to: \(FileRemedy.cause(folder))")
    }
    close(file)
    unlink(template)
  }

  /// The folder and its parents, outermost first.
  private static func chain(_ path: String) -> [String] {
    // Split by bytes, as the system does: a slash followed by a combining mark is a separator, too.
    let slash = UInt8(ascii: "/")
    var folders = path.utf8.first == slash ? ["/"] : []
    for piece in path.utf8.split(separator: slash) {
      let outer = folders.last.map { $0.utf8.last == slash ? $0 : $0 + "/" } ?? ""
      folders.append(outer + Substring(piece))
    }
    return folders
  }

  private static func cannotMake(_ folder: String) -> Failure {
    Failure("the folder \(folder) cannot be created: \(FileRemedy.cause(folder))")
  }

  private static func text(_ bytes: [CChar]) -> String {
    bytes.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }
}
