import MartletQueryBuilder

/// Which lists somebody looks at: all of them, or these and no others. What lies in other lists is then not there.
public enum ListExtent: Hashable, Sendable {
  case all
  case only([Int])

  public func contains(_ list: Int) -> Bool {
    switch self {
    case .all: true
    case .only(let lists): lists.contains(list)
    }
  }

  /// That `list` is one of them; `nil` where that says nothing.
  func condition(_ list: some QueryExpression<Int>) -> SQLQueryExpression<Bool>? {
    switch self {
    case .all: nil
    case .only(let lists): SQLQueryExpression<Bool>("\(list.in(lists))")
    }
  }

  /// That a reminder lies in one of them.
  func condition(_ reminder: Reminder.TableColumns) -> SQLQueryExpression<Bool>? {
    condition(reminder.remindersListID)
  }
}
