import MartletQueryBuilder

/// The lists that a caller may access. Everything in other lists is treated as nonexistent.
public enum ListExtent: Hashable, Sendable {
  /// All lists.
  case all
  /// Only the lists with these IDs.
  case only([Int])

  /// The lists with these IDs; `nil` for all.
  public init(_ ids: [Int]?) { self = ids.map { .only($0) } ?? .all }

  /// Whether the list with this ID is accessible.
  public func contains(_ list: Int) -> Bool {
    switch self {
    case .all: true
    case .only(let lists): lists.contains(list)
    }
  }

  /// The lists that are also among these.
  func intersection(_ other: [Int]) -> ListExtent {
    switch self {
    case .all: .only(other)
    case .only(let lists): .only(lists.filter(other.contains))
    }
  }

  /// The condition that `list` is accessible; `nil` if all lists are.
  func condition(_ list: some QueryExpression<Int>) -> SQLQueryExpression<Bool>? {
    switch self {
    case .all: nil
    case .only(let lists): SQLQueryExpression<Bool>("\(list.in(lists))")
    }
  }

  /// The condition that a reminder is in an accessible list; `nil` if all lists are accessible.
  func condition(_ reminder: Reminder.TableColumns) -> SQLQueryExpression<Bool>? {
    condition(reminder.remindersListID)
  }
}
