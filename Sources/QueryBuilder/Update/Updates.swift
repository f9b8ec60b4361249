/// What an `update` closure assigns to: `$0.title += "!"`, `$0.position = RemindersList.count()`.
@dynamicMemberLookup
public struct Updates<Root: Table>: Sendable {
  var assignments: [Assignment] = []
  let columns: Root.TableColumns

  init(_ columns: Root.TableColumns) { self.columns = columns }

  /// To read.
  public subscript<V>(
    dynamicMember member: KeyPath<Root.TableColumns, TableColumn<Root, V>>
  ) -> TableColumn<Root, V> { columns[keyPath: member] }

  /// To assign any expression: a value, a column, `#bind`, `#sql`, a sub-select.
  @_disfavoredOverload
  public subscript<V>(
    dynamicMember member: KeyPath<Root.TableColumns, TableColumn<Root, V>>
  ) -> any QueryExpression<V> {
    get { columns[keyPath: member] }
    set { set(columns[keyPath: member].name, newValue.queryFragment) }
  }

  /// To change in place: `$0.isFlagged.toggle()`, `$0.title.append("!")`.
  @_disfavoredOverload
  public subscript<V>(
    dynamicMember member: KeyPath<Root.TableColumns, TableColumn<Root, V>>
  ) -> InPlace<V> {
    get { InPlace(columns[keyPath: member].queryFragment) }
    set { set(columns[keyPath: member].name, newValue.fragment) }
  }

  // To assign what finds its type from the column: `nil`, `.completed`. Not for every column: a readable
  // `String` here would make `$0.title += "!"` the standard library's.
  @_disfavoredOverload
  public subscript<V: ColumnRepresentation>(
    dynamicMember member: KeyPath<Root.TableColumns, TableColumn<Root, V?>>
  ) -> V.QueryOutput? {
    @available(*, unavailable) get { preconditionFailure("write only") }
    set { set(columns[keyPath: member].name, QueryFragment(V?.bind(newValue))) }
  }
  @_disfavoredOverload
  public subscript<V: ColumnRepresentation & RawRepresentable>(
    dynamicMember member: KeyPath<Root.TableColumns, TableColumn<Root, V>>
  ) -> V.QueryOutput {
    @available(*, unavailable) get { preconditionFailure("write only") }
    set { set(columns[keyPath: member].name, QueryFragment(V.bind(newValue))) }
  }

  /// An optional column from an expression that is not optional: `$0.position = RemindersList.count()`.
  @_disfavoredOverload
  public subscript<V: ColumnRepresentation>(
    dynamicMember member: KeyPath<Root.TableColumns, TableColumn<Root, V?>>
  ) -> any QueryOperand<V> {
    @available(*, unavailable) get { preconditionFailure("write only") }
    set { set(columns[keyPath: member].name, newValue.queryFragment) }
  }

  /// The last assignment to a column is the one that counts.
  mutating func set(_ column: String, _ value: QueryFragment) {
    assignments.removeAll { $0.column == column }
    assignments.append(Assignment(column, value))
  }
}
