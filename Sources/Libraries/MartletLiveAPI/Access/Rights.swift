/// The rights of a caller: the operations, and the parts of the data.
public struct Rights: Hashable, Sendable {
  /// Levels of access. Each includes the ones before it.
  public enum Scope: String, CaseIterable, Comparable, Sendable {
    /// `read` permits reads and event streams. `write` permits changes too, and `admin` everything.
    case read, write, admin

    /// Whether the scope `one` permits less than `other`.
    public static func < (one: Scope, other: Scope) -> Bool { one.rank < other.rank }

    private var rank: Int {
      switch self {
      case .read: 0
      case .write: 1
      case .admin: 2
      }
    }
  }

  /// The level of access.
  public var scope: Scope
  /// The parts of the data that the caller is limited to, in ascending order; `nil` means all data.
  /// The service defines what a part is, for example a list.
  public let parts: [Int]?

  /// Rights that are limited to `parts`; `nil` means all data.
  public init(_ scope: Scope, parts: (some Sequence<Int>)?) {
    self.scope = scope
    self.parts = parts.map { Set($0).sorted() }
  }

  /// Rights to all data.
  public init(_ scope: Scope) {
    self.scope = scope
    parts = nil
  }
}

/// The rights that callers need to use a route of ``Route/plain(_:_:needs:parts:_:)``.
public struct KeyNeed: Sendable {
  /// `nil` if everyone may use the route.
  let scope: Rights.Scope?

  /// The route is open to everyone, even if the service has keys.
  public static let noKey = KeyNeed(scope: nil)
  /// A key with the scope `read`.
  public static let read = key(.read)
  /// A key with the scope `write`.
  public static let write = key(.write)
  /// A key with the scope `admin`.
  public static let admin = key(.admin)

  /// A key with this scope.
  public static func key(_ scope: Rights.Scope) -> KeyNeed { KeyNeed(scope: scope) }
}

/// The rights that a route requires of its callers.
struct RequiredRights: Sendable {
  var scope: Rights.Scope
  var parts: PartsRule
  /// Whether a live session suffices, because the response can be an event stream.
  var isLive = false
}

/// How a route treats callers that are limited to parts of the data.
public enum PartsRule: Sendable {
  /// They receive a 403.
  case refused
  /// The route reads and changes only the data in those parts.
  case respected
}
