/// Why a time zone is not available.
public enum ZoneProblem: Error, Hashable, Sendable {
  /// The text is not the name of a zone. It is not looked up.
  case malformedName
  /// The system has no zone with that name.
  case unknown(name: String)
  /// There is no zone database in the directory. On Debian, the package `tzdata` is missing.
  case databaseMissing(directory: String)
  /// The zone's file could not be read, with the reason in `errno`.
  case unreadable(name: String, errno: Int32)
  /// The zone's file violates RFC 8536.
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
      "no time zone database in \(directory) (on Debian, install tzdata); only UTC is available"
    case .unreadable(let name, let errno):
      "time zone \(name) could not be read (errno \(errno))"
    case .damaged(let name, let reason):
      "the file of time zone \(name) is damaged: \(reason)"
    }
  }
}
