/// The result of a function that returns nothing: NULL, read as `()`.
///
/// ```swift
/// Values($createDefaultRemindersList())
/// // SELECT "createDefaultRemindersList"()
/// ```
public struct NullRepresentation: ColumnRepresentation {
  public var queryOutput: Void
  public init(queryOutput: Void) { self.queryOutput = queryOutput }
  public static var kind: ColumnKind { .integer }
  public static func bind(_ value: Void) -> QueryBinding { .null }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) {
    guard row.skipNulls(1) else { throw row.problem("NULL") }
  }
}
