/// Initial rows of any tables, one per line: `Seeds { User(id: 1); Tag.Draft(title: "car") }`.
///
/// Consecutive rows of the same type become one INSERT. Seeds are a sequence of statements: execute
/// them in their order.
public struct Seeds: Sequence, Sendable {
  /// An INSERT of the sequence.
  public struct Step: Statement {
    public typealias Output = Never
    public let query: Query
  }

  private let steps: [Step]

  /// Creates the statements.
  ///
  /// - Parameter rows: Rows, drafts, and arrays of rows, one per line.
  public init(@SeedsBuilder _ rows: () -> [SeedRow]) {
    var steps: [Step] = []
    var rest = rows()[...]
    while let first = rest.first {
      let group = rest.prefix { $0.type == first.type }
      rest = rest.dropFirst(group.count)
      steps.append(Step(query: first.insert(group.map(\.assignments)).query))
    }
    self.steps = steps
  }

  public func makeIterator() -> IndexingIterator<[Step]> { steps.makeIterator() }
}

/// A row of ``Seeds``.
public struct SeedRow {
  let type: ObjectIdentifier
  let assignments: [Assignment]
  let insert: ([[Assignment]]) -> any Statement
}

/// Builds the rows of ``Seeds``. Supports `if`, `else` and `for`.
@resultBuilder
public enum SeedsBuilder {
  /// A row.
  public static func buildExpression<Row: Table>(_ row: Row) -> [SeedRow] {
    [
      SeedRow(type: ObjectIdentifier(Row.self), assignments: row.assignments) { rows in
        Insert<Row>(source: .rows(rows))
      }
    ]
  }
  /// A draft.
  public static func buildExpression<Row: TableDraft>(_ row: Row) -> [SeedRow] {
    [
      SeedRow(type: ObjectIdentifier(Row.self), assignments: row.assignments) { rows in
        Insert<Row.Target>(source: .rows(rows))
      }
    ]
  }
  /// An array of rows.
  public static func buildExpression<Row: Table>(_ rows: [Row]) -> [SeedRow] {
    rows.flatMap { buildExpression($0) }
  }
  public static func buildBlock(_ parts: [SeedRow]...) -> [SeedRow] { parts.flatMap { $0 } }
  public static func buildOptional(_ part: [SeedRow]?) -> [SeedRow] { part ?? [] }
  public static func buildEither(first: [SeedRow]) -> [SeedRow] { first }
  public static func buildEither(second: [SeedRow]) -> [SeedRow] { second }
  public static func buildArray(_ parts: [[SeedRow]]) -> [SeedRow] { parts.flatMap { $0 } }
}
