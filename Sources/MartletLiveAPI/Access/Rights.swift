/// What a caller may do: how much, and with which part of the data.
public struct Rights: Hashable, Sendable {
  /// Each may do what those before it may.
  public enum Scope: String, CaseIterable, Comparable, Sendable {
    case read, write, admin

    public static func < (one: Scope, other: Scope) -> Bool { one.rank < other.rank }

    private var rank: Int {
      switch self {
      case .read: 0
      case .write: 1
      case .admin: 2
      }
    }
  }

  public var scope: Scope
  /// The parts of the data that the caller is limited to, in order; `nil`: all of it. What a part is, is the
  /// service's to say.
  public let parts: [Int]?

  public init(_ scope: Scope, parts: (some Sequence<Int>)?) {
    self.scope = scope
    self.parts = parts.map { Set($0).sorted() }
  }

  public init(_ scope: Scope) {
    self.scope = scope
    parts = nil
  }
}

/// What a route asks of its callers.
struct Need: Sendable {
  var scope: Rights.Scope
  var parts: PartsRule
  /// The answer can be an event stream: what a live session is for.
  var isLive = false
}

/// What a route does for callers who are limited to parts of the data.
public enum PartsRule: Sendable {
  /// Nothing: they get 403.
  case refused
  /// It shows and changes what lies in those parts, and nothing else.
  case respected
}
