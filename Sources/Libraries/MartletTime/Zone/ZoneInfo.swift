/// A time zone of a ``ZoneDatabase``: its name, and its offset from UTC at every instant.
///
/// Two zones are equal if their names are.
public struct ZoneInfo: Sendable {
  /// The requested name, such as `Europe/Vienna`.
  public let identifier: String
  private let storage: Storage

  /// The arrays behind one reference, so that copying a zone is cheap.
  private final class Storage: Sendable {
    let file: ZoneFile

    init(_ file: ZoneFile) { self.file = file }
  }

  init(identifier: String, file: ZoneFile) {
    self.identifier = identifier
    storage = Storage(file)
  }

  /// Coordinated universal time, which needs no files.
  public static let utc = ZoneInfo(identifier: "UTC", file: ZoneFile(fixedOffset: 0))

  /// The offset at `instant`, in seconds east of UTC.
  public func offset(at instant: Instant) -> Int {
    storage.file.offset(at: instant.seconds)
  }

  /// The local time at `instant`.
  public func time(at instant: Instant) -> CivilTime {
    CivilTime(instant, offset: offset(at: instant))
  }

  /// The next instant after `instant` at which the offset may change, or `nil` if it never does.
  public func nextTransition(after instant: Instant) -> Instant? {
    storage.file.nextTransition(after: instant.seconds).map { Instant(seconds: $0) }
  }
}

extension ZoneInfo: Hashable {
  public static func == (left: ZoneInfo, right: ZoneInfo) -> Bool {
    left.identifier == right.identifier
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

extension ZoneInfo: CustomStringConvertible {
  public var description: String { identifier }
}

extension ZoneInfo {
  /// The maximum length of a name, in bytes.
  static let longestIdentifier = 64

  /// Whether `text` has the form of a zone name: components of letters, digits, `_`, `+` and `-`,
  /// joined by slashes. Without periods and a leading slash, a name cannot refer to a file outside
  /// the directory.
  public static func isIdentifier(_ text: some StringProtocol) -> Bool {
    let bytes = text.utf8
    guard !bytes.isEmpty, bytes.count <= longestIdentifier else { return false }
    var last = UInt8(ascii: "/")
    for byte in bytes {
      guard
        byte == UInt8(ascii: "/")
          ? last != byte
          : (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
      else { return false }
      last = byte
    }
    return last != UInt8(ascii: "/")
  }
}

extension ZoneInfo {
  /// The instant at which local clocks show `time` (RFC 5545 section 3.3.5).
  ///
  /// If clocks show it twice, it is the first instant. If they skip it, the offset before the
  /// change applies.
  public func instant(of time: CivilTime) -> Instant {
    let utc = time.instant()
    let before = offset(at: utc.adding(seconds: -86_400))
    let after = offset(at: utc.adding(seconds: 86_400))
    let first = time.instant(offset: before)
    if offset(at: first) == before { return first }
    let second = time.instant(offset: after)
    return offset(at: second) == after ? second : first
  }
}
