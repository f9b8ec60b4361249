/// A statement of a trigger, and its assignments.
public struct TriggerStep: Sendable {
  let fragment: QueryFragment
  var assignments: [Assignment] = []

  var issues: [(text: String, column: String?)] {
    var others = fragment.prepare(.literal).issues
    var issues: [(text: String, column: String?)] = []
    for assignment in assignments {
      for issue in assignment.value.prepare(.literal).issues {
        issues.append((issue, assignment.column))
        if let index = others.firstIndex(of: issue) { others.remove(at: index) }
      }
    }
    return issues + others.map { ($0, nil) }
  }
}

/// A statement that assigns values to columns.
protocol AssigningStatement {
  var assigned: [Assignment] { get }
}

/// A change of a table that may have an alias.
protocol AliasedChange {
  var qualifier: String { get }
}
extension Delete: AliasedChange {
  var qualifier: String { core.source.qualifier }
}
extension Update: AliasedChange {
  var qualifier: String { core.source.qualifier }
}
extension Insert: AliasedChange {}

extension Update: AssigningStatement {
  var assigned: [Assignment] { assignments }
}

extension Insert: AssigningStatement {
  var assigned: [Assignment] {
    let rows = if case .rows(let rows) = source { rows.flatMap { $0 } } else { [] as [Assignment] }
    return rows + (conflict?.assignments ?? [])
  }
}

/// Builds the body of a trigger: one statement per line. `Values($function())` calls a function.
/// Supports `if`, `else` and `for`.
@resultBuilder
public enum TriggerBuilder {
  /// A statement. An empty one is left out.
  public static func buildExpression(_ statement: some Statement) -> [TriggerStep] {
    let query = statement.query
    guard !query.isEmpty else { return [] }
    let assigned = (statement as? any AssigningStatement)?.assigned ?? []
    var fragment = query.fragment
    if let change = statement as? any ChangeStatement { fragment = withoutSchema(change) }
    return [TriggerStep(fragment: fragment, assignments: assigned)]
  }
  /// A trigger changes tables of its own schema, and must name neither the schema nor an alias.
  private static func withoutSchema<S: ChangeStatement>(_ statement: S) -> QueryFragment {
    var fragment = statement.query.fragment
    if let name = (statement as? any AliasedChange)?.qualifier, name != S.Target.qualifiedName {
      let reason = "A trigger's statement has no alias for the table that it changes: '\(name)'."
      return "\(fragment) \(QueryBinding.invalid(reason: reason))"
    }
    let alias = S.Target.tableAlias
    guard S.Target.schemaName != nil || alias != nil else { return fragment }
    if let alias { fragment = fragment.renaming(alias, S.Target.tableName) }
    return fragment.replacingFirst(
      S.Target.reference(as: S.Target.qualifiedName), with: QueryFragment(quote: S.Target.tableName)
    )
  }
  public static func buildBlock(_ parts: [TriggerStep]...) -> [TriggerStep] {
    parts.flatMap { $0 }
  }
  public static func buildOptional(_ part: [TriggerStep]?) -> [TriggerStep] { part ?? [] }
  public static func buildEither(first: [TriggerStep]) -> [TriggerStep] { first }
  public static func buildEither(second: [TriggerStep]) -> [TriggerStep] { second }
  public static func buildArray(_ parts: [[TriggerStep]]) -> [TriggerStep] { parts.flatMap { $0 } }
}

extension QueryFragment {
  /// Replaces the first occurrence of a text in the first segment: `UPDATE "main"."stock" SET …`.
  fileprivate func replacingFirst(_ old: QueryFragment, with new: QueryFragment) -> QueryFragment {
    guard case .sql(let text)? = segments.first, case .sql(let old)? = old.segments.first,
      case .sql(let new)? = new.segments.first, let place = text.firstRange(of: old)
    else { return self }
    var copy = self
    copy.segments[0] = .sql(
      String(text[..<place.lowerBound]) + new + String(text[place.upperBound...]))
    return copy
  }
}
