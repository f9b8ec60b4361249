/// Rows to begin with, of any tables, a row a line: `Seeds { User(id: 1); Tag.Draft(title: "car") }`.
///
/// Rows of one type that follow each other are one INSERT. It is a sequence of statements: execute them in
/// their order.
public struct Seeds: Sequence, Sendable {
  /// One INSERT.
  public struct Step: Statement {
    public typealias Output = Never
    public let query: Query
  }

  private let steps: [Step]

  /// - Parameter rows: Rows, drafts and arrays of them, one a line.
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

/// One line of ``Seeds``.
public struct SeedRow {
  let type: ObjectIdentifier
  let assignments: [Assignment]
  let insert: ([[Assignment]]) -> any Statement
}

@resultBuilder
public enum SeedsBuilder {
  public static func buildExpression<Row: Table>(_ row: Row) -> [SeedRow] {
    [
      SeedRow(type: ObjectIdentifier(Row.self), assignments: row.assignments) { rows in
        Insert<Row>(source: .rows(rows))
      }
    ]
  }
  public static func buildExpression<Row: TableDraft>(_ row: Row) -> [SeedRow] {
    [
      SeedRow(type: ObjectIdentifier(Row.self), assignments: row.assignments) { rows in
        Insert<Row.Target>(source: .rows(rows))
      }
    ]
  }
  public static func buildExpression<Row: Table>(_ rows: [Row]) -> [SeedRow] {
    rows.flatMap { buildExpression($0) }
  }
  public static func buildBlock(_ parts: [SeedRow]...) -> [SeedRow] { parts.flatMap { $0 } }
  public static func buildOptional(_ part: [SeedRow]?) -> [SeedRow] { part ?? [] }
  public static func buildEither(first: [SeedRow]) -> [SeedRow] { first }
  public static func buildEither(second: [SeedRow]) -> [SeedRow] { second }
  public static func buildArray(_ parts: [[SeedRow]]) -> [SeedRow] { parts.flatMap { $0 } }
}
