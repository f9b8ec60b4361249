/// An enum that is a row: the conformance that `@Table` and `@Selection` generate for enums.
///
/// Each case has its own columns. In a row the columns of all cases but one are NULL.
///
/// ```swift
/// @Selection enum Kind { case link(URL); case note(String) }
/// @Table struct Attachment { let id: Int; var kind: Kind }
/// Attachment.where { $0.kind.is(\.note) }.update { $0.kind = .note("…") }
/// // UPDATE "attachments" SET "link" = NULL, "note" = ? WHERE ("attachments"."note" IS NOT NULL)
/// ```
public protocol EnumTable: Table {}

extension TableColumn where QueryValue: EnumTable {
  /// Whether the value is this case: `("attachments"."note" IS NOT NULL)`.
  public func `is`<V>(
    _ case: KeyPath<QueryValue.TableColumns, TableColumn<QueryValue, V>>
  ) -> SQLQueryExpression<Bool> { QueryValue.TableColumns(qualifier: qualifier).is(`case`) }
}

extension TableColumn {
  /// Whether the value exists and is this case: `("attachments"."note" IS NOT NULL)`.
  public func `is`<Row: EnumTable, V>(
    _ case: KeyPath<Row.TableColumns, TableColumn<Row, V>>
  ) -> SQLQueryExpression<Bool> where QueryValue == Row? {
    Row.TableColumns(qualifier: qualifier).is(`case`)
  }
}

extension TableDefinition where QueryValue: EnumTable {
  /// Whether the row is this case: `("attachments"."note" IS NOT NULL)`.
  public func `is`<V>(
    _ case: KeyPath<Self, TableColumn<QueryValue, V>>
  ) -> SQLQueryExpression<Bool> {
    let column = self[keyPath: `case`]
    let nulls = Array(repeating: "NULL" as QueryFragment, count: column.parts.count)
    return infix(
      column.queryFragment, "IS NOT",
      nulls.count == 1 ? nulls[0] : "(\(nulls.joined(", ")))")
  }
}
