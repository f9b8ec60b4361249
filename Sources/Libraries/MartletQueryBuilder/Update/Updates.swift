/// The columns in an `update` closure, to read and to assign: `$0.title += "!"`,
/// `$0.position = RemindersList.count()`.
@dynamicMemberLookup
public struct Updates<Root: QueryRepresentable>: Sendable {
  var assignments: [Assignment] = []
  let columns: Root.Members
  let qualifier: String

  init(_ qualifier: String) {
    self.qualifier = qualifier
    columns = Root.Members(qualifier: qualifier)
  }

  /// Reads a column.
  public subscript<T: Table, V>(
    dynamicMember member: KeyPath<Root.Members, TableColumn<T, V>>
  ) -> TableColumn<T, V> { columns[keyPath: member] }

  /// Reads an expression declared on the columns: `$0.isFlagged = $0.isPastDue`.
  @_disfavoredOverload
  public subscript<E: QueryExpression>(
    dynamicMember member: KeyPath<Root.Members, E>
  ) -> E { columns[keyPath: member] }

  /// Assigns any expression: a value, a column, `#bind`, `#sql` or a subquery.
  @_disfavoredOverload
  public subscript<T: Table, V>(
    dynamicMember member: KeyPath<Root.Members, TableColumn<T, V>>
  ) -> any QueryExpressible<V> {
    get { columns[keyPath: member] }
    set { set(columns[keyPath: member], newValue.selection.map(\.fragment)) }
  }

  /// Changes a column in place: `$0.isFlagged.toggle()`, `$0.title.append("!")`.
  @_disfavoredOverload
  public subscript<T: Table, V>(
    dynamicMember member: KeyPath<Root.Members, TableColumn<T, V>>
  ) -> InPlace<V> {
    get { InPlace(columns[keyPath: member].queryFragment) }
    set { set(columns[keyPath: member], [newValue.fragment]) }
  }

  // These assign values whose type is inferred from the column: `nil`, `.completed`. They do not
  // exist for every column: with a readable `String` here, `$0.title += "!"` would use the operator
  // of the standard library.

  /// Assigns a value or `nil` to an optional column.
  @_disfavoredOverload
  public subscript<T: Table, V: ColumnRepresentation>(
    dynamicMember member: KeyPath<Root.Members, TableColumn<T, V?>>
  ) -> V.QueryOutput? {
    @available(*, unavailable) get { preconditionFailure("write only") }
    set { set(columns[keyPath: member], [QueryFragment(V?.bind(newValue))]) }
  }
  /// Assigns a value with a raw value, such as a case of an enum: `$0.status = .completed`.
  @_disfavoredOverload
  public subscript<T: Table, V: ColumnRepresentation & RawRepresentable>(
    dynamicMember member: KeyPath<Root.Members, TableColumn<T, V>>
  ) -> V.QueryOutput {
    @available(*, unavailable) get { preconditionFailure("write only") }
    set { set(columns[keyPath: member], [QueryFragment(V.bind(newValue))]) }
  }

  /// Assigns a value that the column stores in another type's representation: `$0.soldAt = Date()`.
  @_disfavoredOverload
  public subscript<T: Table, V: ForeignRepresentation>(
    dynamicMember member: KeyPath<Root.Members, TableColumn<T, V>>
  ) -> V.QueryOutput {
    @available(*, unavailable) get { preconditionFailure("write only") }
    set { set(columns[keyPath: member], [QueryFragment(V.bind(newValue))]) }
  }

  /// Assigns an expression that is not optional to an optional column:
  /// `$0.position = RemindersList.count()`.
  @_disfavoredOverload
  public subscript<T: Table, V: ColumnRepresentation>(
    dynamicMember member: KeyPath<Root.Members, TableColumn<T, V?>>
  ) -> any QueryExpression<V> {
    @available(*, unavailable) get { preconditionFailure("write only") }
    set { set(columns[keyPath: member], [newValue.queryFragment]) }
  }

  /// Assigns a part of a group: `$0.timestamps.updatedAt = .now()`.
  ///
  /// If the group is missing in a row, assigning some of its parts does not create it: assign the
  /// whole group. A plain value has no parts, see ``ColumnMembers``.
  @_disfavoredOverload
  public subscript<T: Table, V>(
    dynamicMember member: KeyPath<Root.Members, TableColumn<T, V>>
  ) -> Updates<V> {
    get { Updates<V>(qualifier) }
    set { merge(newValue, columns[keyPath: member].parts) }
  }
  // A whole group is an expression, `$0.timestamps = Timestamps()`, and needs no overload. The
  // following ones infer the type of a case or of `nil`.

  /// Assigns a case of an enum that is a group of columns: `$0.content = .text("…")`.
  @_disfavoredOverload
  public subscript<T: Table, Group: EnumTable>(
    dynamicMember member: KeyPath<Root.Members, TableColumn<T, Group>>
  ) -> Group {
    @available(*, unavailable) get { preconditionFailure("write only") }
    set { set(columns[keyPath: member], newValue.selection.map(\.fragment)) }
  }
  /// Assigns a group of columns or `nil` where the group may be missing.
  @_disfavoredOverload
  public subscript<T: Table, Group: Table>(
    dynamicMember member: KeyPath<Root.Members, TableColumn<T, Group?>>
  ) -> Group? {
    @available(*, unavailable) get { preconditionFailure("write only") }
    set { set(columns[keyPath: member], newValue.selection.map(\.fragment)) }
  }

  /// Assigns expressions to a case of an enum that is a group of columns:
  /// `$0.kind.image = Image.Selection(caption: …)`.
  @_disfavoredOverload
  public subscript<T: Table, Group: Table>(
    dynamicMember member: KeyPath<Root.Members, TableColumn<T, Group?>>
  ) -> any QueryExpressible<Group> {
    @available(*, unavailable) get { preconditionFailure("write only") }
    set { set(columns[keyPath: member], newValue.selection.map(\.fragment)) }
  }
  /// Assigns a JSON document that is text to a JSONB column, as `jsonb(…)`:
  /// `$0.notes = Track.select { $0.name.jsonGroupArray() }`. Needs SQLite 3.45.
  @_disfavoredOverload
  public subscript<T: Table, Text: JSONDocument>(
    dynamicMember member: KeyPath<Root.Members, TableColumn<T, JSONBinary<Text>>>
  ) -> any QueryExpression<Text> {
    @available(*, unavailable) get { preconditionFailure("write only") }
    set {
      let binary: QueryFragment = "jsonb(\(newValue.queryFragment))"
      set(columns[keyPath: member], [binary.requiring("jsonb()", since: 3, 45)])
    }
  }

  /// Does not compile: the value does not fit the column.
  @available(
    *, unavailable,
    message: """
      The value does not fit the column: assign a value of its type, an expression of it, or '#bind(value)'
      """
  )
  @_disfavoredOverload
  public subscript<T: Table, V>(
    dynamicMember member: KeyPath<Root.Members, TableColumn<T, V>>
  ) -> Any? {
    get { columns[keyPath: member] }
    set {}
  }

  /// Assigns a column, replacing an earlier assignment to it.
  mutating func set(_ column: String, _ value: QueryFragment) {
    assignments.removeAll { $0.column == column }
    assignments.append(Assignment(column, value))
  }

  private mutating func merge<Group>(_ group: Updates<Group>, _ parts: [ColumnInfo]) {
    guard isEnum else {
      for part in group.assignments { set(part.column, part.value) }
      return
    }
    let assigned = Set(group.assignments.map(\.column))
    // A column that the case requires and that is not assigned. Only rows that have it are changed:
    // the others are another case, and would not become this one.
    let missing = required(Group.self).first { !assigned.contains($0) }
    for part in group.assignments {
      let other = missing.map { QueryFragment(column: $0, of: qualifier) }
      set(
        part.column,
        other.map { "CASE WHEN \($0) IS NOT NULL THEN \(part.value) END" } ?? part.value)
    }
    if missing == nil, !group.assignments.contains(where: { mentionsItself($0.column, $0.value) }) {
      leave(only: parts)
    }
  }

  private func required<Group: QueryRepresentable>(_ group: Group.Type) -> [String] {
    func names<Row: Table>(_ row: Row.Type) -> [String] {
      row is any EnumTable.Type
        ? [] : Row.TableColumns.all.filter { !$0.isOptional && !$0.isGenerated }.map(\.name)
    }
    return (Group.Unwrapped.self as? any Table.Type).map { names($0) } ?? []
  }

  private mutating func set<T: Table, V>(_ column: TableColumn<T, V>, _ values: [QueryFragment]) {
    let parts = column.parts
    // `+=` and `append` change only rows that are this case.
    let isInPlace = isEnum && zip(parts, values).contains { mentionsItself($0.name, $1) }
    // Generated columns are not assigned.
    for (part, value) in zip(parts, values) where !part.isGenerated {
      guard isInPlace, !isOperation(on: part.name, value) else {
        set(part.name, value)
        continue
      }
      let own = QueryFragment(column: part.name, of: qualifier)
      set(part.name, "CASE WHEN \(own) IS NOT NULL THEN \(value) END")
    }
    if !isInPlace { leave(only: parts) }
  }

  private var isEnum: Bool { Root.Unwrapped.self is any EnumTable.Type }

  /// Whether the value contains the column itself, of the same row. A column of that name in
  /// another row does not count.
  private func mentionsItself(_ column: String, _ value: QueryFragment) -> Bool {
    value.segments.contains { if case .column(qualifier, column) = $0 { true } else { false } }
  }
  /// Whether the value is an operation on the column, such as `("t"."note" || ?)`, which is NULL if
  /// the column is.
  private func isOperation(on column: String, _ value: QueryFragment) -> Bool {
    guard value.segments.count > 1, case .sql(let start) = value.segments[0],
      ["(", "(NOT ", "(-"].contains(start), case .column(qualifier, column) = value.segments[1]
    else { return false }
    return true
  }

  /// Sets the columns of all other cases of an enum to NULL.
  private mutating func leave(only parts: [ColumnInfo]) {
    guard let row = Root.Unwrapped.self as? any EnumTable.Type else { return }
    let names = parts.map(\.name)
    for other in row.resultColumns where !names.contains(other.name) {
      set(other.name, QueryFragment(.null))
    }
  }
}
