/// What a column has by name: the parts of a group, or nothing (``NoMembers``).
///
/// A column of a plain value is looked into as well, and in vain, so that the compiler has a type to name:
/// "value of type 'TableColumn<Reminder, String>' has no dynamic member 'hasPrefx'".
public protocol ColumnMembers: Sendable {
  /// The same where the group may be missing.
  associatedtype OuterMembers: ColumnMembers
  init(qualifier: String)
}

/// The members of a value that lies in one column.
public struct NoMembers: ColumnMembers {
  public typealias OuterMembers = NoMembers
  public init(qualifier: String) {}
}
