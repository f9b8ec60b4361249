/// What an `update` closure assigns to: `$0.title += "!"`, `$0.position = RemindersList.count()`.
@dynamicMemberLookup
public struct Updates<Root: QueryRepresentable>: Sendable {
  var assignments: [Assignment] = []
  let columns: Root.Members
  let qualifier: String

  init(_ qualifier: String) {
    self.qualifier = qualifier
    columns = Root.Members(qualifier: qualifier)
  }

  /// To read.
  public subscript<T: Table, V>(
    dynamicMember member: KeyPath<Root.Members, TableColumn<T, V>>
  ) -> TableColumn<T, V> { columns[keyPath: member] }

  /// To read a reusable expression: `$0.isFlagged = $0.isPastDue`.
  @_disfavoredOverload
  public subscript<E: QueryExpression>(
    dynamicMember member: KeyPath<Root.Members, E>
  ) -> E { columns[keyPath: member] }

  /// To assign any expression: a value, a column, `#bind`, `#sql`, a sub-select.
  @_disfavoredOverload
  public subscript<T: Table, V>(
    dynamicMember member: KeyPath<Root.Members, TableColumn<T, V>>
  ) -> any QueryExpressible<V> {
    get { columns[keyPath: member] }
    set { set(columns[keyPath: member], newValue.selection.map(\.fragment)) }
  }

  /// To change in place: `$0.isFlagged.toggle()`, `$0.title.append("!")`.
  @_disfavoredOverload
  public subscript<T: Table, V>(
    dynamicMember member: KeyPath<Root.Members, TableColumn<T, V>>
  ) -> InPlace<V> {
    get { InPlace(columns[keyPath: member].queryFragment) }
    set { set(columns[keyPath: member], [newValue.fragment]) }
  }

  // To assign what finds its type from the column: `nil`, `.completed`. Not for every column: a readable
  // `String` here would make `$0.title += "!"` the standard library's.
  @_disfavoredOverload
  public subscript<T: Table, V: ColumnRepresentation>(
    dynamicMember member: KeyPath<Root.Members, TableColumn<T, V?>>
  ) -> V.QueryOutput? {
    @available(*, unavailable) get { preconditionFailure("write only") }
    set { set(columns[keyPath: member], [QueryFragment(V?.bind(newValue))]) }
  }
  @_disfavoredOverload
  public subscript<T: Table, V: ColumnRepresentation & RawRepresentable>(
    dynamicMember member: KeyPath<Root.Members, TableColumn<T, V>>
  ) -> V.QueryOutput {
    @available(*, unavailable) get { preconditionFailure("write only") }
    set { set(columns[keyPath: member], [QueryFragment(V.bind(newValue))]) }
  }

  @_disfavoredOverload
  public subscript<T: Table, V: ForeignRepresentation>(
    dynamicMember member: KeyPath<Root.Members, TableColumn<T, V>>
  ) -> V.QueryOutput {
    @available(*, unavailable) get { preconditionFailure("write only") }
    set { set(columns[keyPath: member], [QueryFragment(V.bind(newValue))]) }
  }

  /// An optional column from an expression that is not optional: `$0.position = RemindersList.count()`.
  @_disfavoredOverload
  public subscript<T: Table, V: ColumnRepresentation>(
    dynamicMember member: KeyPath<Root.Members, TableColumn<T, V?>>
  ) -> any QueryExpression<V> {
    @available(*, unavailable) get { preconditionFailure("write only") }
    set { set(columns[keyPath: member], [newValue.queryFragment]) }
  }

  /// To assign to a part of a group: `$0.timestamps.updatedAt = .now()`. Where the group may be missing and is, its
  /// parts alone make no group: assign the whole. A plain value is looked into in vain, see ``ColumnMembers``.
  @_disfavoredOverload
  public subscript<T: Table, V>(
    dynamicMember member: KeyPath<Root.Members, TableColumn<T, V>>
  ) -> Updates<V> {
    get { Updates<V>(qualifier) }
    set { merge(newValue, columns[keyPath: member].parts) }
  }
  // A whole group is an expression: `$0.timestamps = Timestamps()`. A case finds its type here.
  @_disfavoredOverload
  public subscript<T: Table, Group: EnumTable>(
    dynamicMember member: KeyPath<Root.Members, TableColumn<T, Group>>
  ) -> Group {
    @available(*, unavailable) get { preconditionFailure("write only") }
    set { set(columns[keyPath: member], newValue.selection.map(\.fragment)) }
  }
  @_disfavoredOverload
  public subscript<T: Table, Group: Table>(
    dynamicMember member: KeyPath<Root.Members, TableColumn<T, Group?>>
  ) -> Group? {
    @available(*, unavailable) get { preconditionFailure("write only") }
    set { set(columns[keyPath: member], newValue.selection.map(\.fragment)) }
  }

  /// A case of an enum that is a group, from expressions: `$0.kind.image = Image.Selection(caption: …)`.
  @_disfavoredOverload
  public subscript<T: Table, Group: Table>(
    dynamicMember member: KeyPath<Root.Members, TableColumn<T, Group?>>
  ) -> any QueryExpressible<Group> {
    @available(*, unavailable) get { preconditionFailure("write only") }
    set { set(columns[keyPath: member], newValue.selection.map(\.fragment)) }
  }
  /// JSONB from a document that is text: `$0.notes = Track.select { $0.name.jsonGroupArray() }`. Needs SQLite 3.45.
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

  /// The last assignment to a column is the one that counts.
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
    // What the case needs besides: without it the row would be no case at all.
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
    // `+=` and `append` change a case where it is one, and make no other row that case.
    let isInPlace = isEnum && zip(parts, values).contains { mentionsItself($0.name, $1) }
    // What SQLite generates is not assigned.
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

  /// Is the column of this row in a value for it? One of the same name in another row is not.
  private func mentionsItself(_ column: String, _ value: QueryFragment) -> Bool {
    value.segments.contains { if case .column(qualifier, column) = $0 { true } else { false } }
  }
  /// `("t"."note" || ?)`: NULL where the column is.
  private func isOperation(on column: String, _ value: QueryFragment) -> Bool {
    guard value.segments.count > 1, case .sql(let start) = value.segments[0],
      ["(", "(NOT ", "(-"].contains(start), case .column(qualifier, column) = value.segments[1]
    else { return false }
    return true
  }

  /// A case of an enum leaves the others NULL.
  private mutating func leave(only parts: [ColumnInfo]) {
    guard let row = Root.Unwrapped.self as? any EnumTable.Type else { return }
    let names = parts.map(\.name)
    for other in row.resultColumns where !names.contains(other.name) {
      set(other.name, QueryFragment(.null))
    }
  }
}
