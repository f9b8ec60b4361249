import Glibc

extension DatabaseCopy {
  /// The path of a copy to `path` while this process makes it.
  static func temporary(for path: String) -> String { "\(path).\(getpid())\(partial)" }

  private static let partial = ".partial"

  /// Deletes what processes that were killed have left of copies to a path: the unfinished copy,
  /// and what SQLite has made next to it. Returns the names of the copies.
  ///
  /// A file of a process that runs, and one that another process has locked, stays: in another
  /// container, that process has another number.
  @discardableResult
  package static func removeLeft(of path: String) -> [String] {
    let path = resolved(path)
    let folder = DurableFile.folder(of: path)
    let file = path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) }
    guard let file else { return [] }
    let left = Set(Directory.names(in: folder).compactMap { unfinished($0, of: file) })
    return left.filter { name in
      let copy = "\(folder)/\(name)"
      guard (try? ExclusiveLock.isLocked(copy)) != true else { return false }
      DurableFile.remove(copy)
      return true
    }.sorted()
  }

  /// The name of the unfinished copy that a file belongs to, if its process has ended; otherwise
  /// `nil`. Compared by bytes, as the system does.
  private static func unfinished(_ name: String, of file: String) -> String? {
    var name = name.utf8[...]
    for ending in DurableFile.companions where name.hasSuffix(ending.utf8) {
      name = name.dropLast(ending.utf8.count)
    }
    guard name.starts(with: "\(file).".utf8), name.hasSuffix(partial.utf8) else { return nil }
    let digits = name.dropFirst(file.utf8.count + 1).dropLast(partial.utf8.count)
    guard let process = Int32(Substring(digits)), process > 0,
      "\(process)".utf8.elementsEqual(digits), !isRunning(process)
    else { return nil }
    return String(Substring(name))
  }

  /// Whether another process with this number runs. This one makes no copy yet.
  private static func isRunning(_ process: Int32) -> Bool {
    process != getpid() && (kill(process, 0) == 0 || errno != ESRCH)
  }
}

extension Collection where Element == UInt8 {
  fileprivate func hasSuffix(_ suffix: some Collection<UInt8>) -> Bool {
    self.suffix(suffix.count).elementsEqual(suffix)
  }
}
