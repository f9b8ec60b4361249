/// The columns of a row that may be missing: then each is NULL.
public struct OptionalRow<Row: Selection>: QueryExpression {
  public typealias QueryValue = Row?
  public let selection: [SelectedColumn]
  public var queryFragment: QueryFragment { "(\(selection.map(\.fragment).joined(", ")))" }

  init(_ row: Row?) {
    selection =
      row?.columns.selection
      ?? Row.resultColumns.map { SelectedColumn("NULL", alias: $0.name, $0) }
  }
}
