import Glibc

/// Why a database was not copied.
public enum CopyError: Error, Sendable {
  /// The copy would replace what it is made of.
  case sameFile
  case missing(String)
  case exists(String)
  /// Another process has the database open.
  case inUse(String)
  /// What the check of the copy found.
  case damaged([String])
  /// The copy has other rows than the database.
  case incomplete
  /// A call on this file failed, with that `errno`.
  case file(String, Int32)
}

extension CopyError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .sameFile: "the copy would replace the database itself"
    case .missing(let path): "\(path) is not there"
    case .exists(let path): "\(path) is there already"
    case .inUse(let path): "\(path) is in use by another program"
    case .damaged(let faults): "the database is damaged: \(faults.joined(separator: "; "))"
    case .incomplete: "the copy has other rows than the database"
    case .file(let path, let code): "\(path): \(String(cString: strerror(code)))"
    }
  }
}
