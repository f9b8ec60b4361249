import Glibc

/// Why a database was not copied.
public enum CopyError: Error, Sendable {
  /// The destination is the source itself.
  case sameFile
  /// The source does not exist.
  case missing(String)
  /// The destination already exists.
  case exists(String)
  /// Another process has the database open.
  case inUse(String)
  /// The integrity check of the copy failed with these messages.
  case damaged([String])
  /// The copy does not have the same number of rows as the database.
  case incomplete
  /// A system call on the file failed with this `errno`.
  case file(String, Int32)
}

extension CopyError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .sameFile: "the copy would replace the database itself"
    case .missing(let path): "\(path) does not exist"
    case .exists(let path): "\(path) already exists"
    case .inUse(let path): "\(path) is in use by another program"
    case .damaged(let faults): "the database is damaged: \(faults.joined(separator: "; "))"
    case .incomplete: "the copy does not have the same number of rows as the database"
    case .file(let path, let code): "\(path): \(String(cString: strerror(code)))"
    }
  }
}
