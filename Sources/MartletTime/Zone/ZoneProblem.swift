/// Why there is no such time zone.
public enum ZoneProblem: Error, Hashable, Sendable {
  /// Not a name that a zone can have. Never looked up.
  case malformedName
  /// The system knows no zone of that name.
  case unknown(name: String)
  /// There is no zone database at all: on Debian, the package `tzdata` is missing.
  case databaseMissing(directory: String)
  /// The zone's file could not be read; `errno` says why.
  case unreadable(name: String, errno: Int32)
  /// The zone's file breaks RFC 8536.
  case damaged(name: String, reason: String)
}

extension ZoneProblem: CustomStringConvertible {
  public var description: String {
    switch self {
    case .malformedName:
      "not a time zone name such as Europe/Vienna or UTC"
    case .unknown(let name):
      "unknown time zone \(name)"
    case .databaseMissing(let directory):
      "no time zone database in \(directory) (on Debian: the package tzdata); only UTC is known"
    case .unreadable(let name, let errno):
      "time zone \(name) could not be read (errno \(errno))"
    case .damaged(let name, let reason):
      "the file of time zone \(name) is damaged: \(reason)"
    }
  }
}
