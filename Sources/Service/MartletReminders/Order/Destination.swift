/// Where a row is moved to among its siblings.
public enum Destination: Hashable, Sendable {
  /// Behind the row with this ID; `nil`: before all others.
  case after(Int?)
  /// Before the row with this ID; `nil`: behind all others.
  case before(Int?)

  /// The ID of the row that it names.
  var sibling: Int? {
    switch self {
    case .after(let id), .before(let id): id
    }
  }

  /// Its name in a request.
  var name: String {
    switch self {
    case .after: "after"
    case .before: "before"
    }
  }
}
