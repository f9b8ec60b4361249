/// The members of a column: the parts of a group, or nothing (``NoMembers``).
///
/// Columns of plain values have no members, but can be asked for them, so that the compiler can
/// name a type in its error: "value of type 'TableColumn<Reminder, String>' has no dynamic member
/// 'hasPrefx'".
public protocol ColumnMembers: Sendable {
  /// The members if the group may be missing.
  associatedtype OuterMembers: ColumnMembers
  /// Creates the members of columns that are qualified with a table name or an alias.
  init(qualifier: String)
}

/// The members of a value that is stored in one column: none.
public struct NoMembers: ColumnMembers {
  /// An optional value has no members, either.
  public typealias OuterMembers = NoMembers
  /// Creates a value without members. The qualifier is not used.
  public init(qualifier: String) {}
}
