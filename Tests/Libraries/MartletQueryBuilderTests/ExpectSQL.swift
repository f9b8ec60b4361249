import MartletQueryBuilder
import Testing

/// Checks the exact text of a statement and its bindings.
func expectSQL(
  _ statement: some Statement, _ sql: String, _ bindings: [QueryBinding] = [],
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let prepared = statement.query.fragment.prepare()
  #expect(prepared.sql == sql, sourceLocation: sourceLocation)
  #expect(prepared.bindings == bindings, sourceLocation: sourceLocation)
}

/// Checks the same for an expression. An expression that is also a statement is checked as a
/// statement.
@_disfavoredOverload
func expectSQL(
  _ expression: some QueryExpressible, _ sql: String, _ bindings: [QueryBinding] = [],
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let prepared = expression.queryFragment.prepare()
  #expect(prepared.sql == sql, sourceLocation: sourceLocation)
  #expect(prepared.bindings == bindings, sourceLocation: sourceLocation)
}

/// Checks a trigger's text, without the name that is derived from its place in the file.
func expectTrigger<T>(
  _ trigger: Trigger<T>, _ sql: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(
    trigger.prepared.sql.replacing("\"\(trigger.name)\"", with: "t") == sql,
    sourceLocation: sourceLocation)
  #expect(trigger.prepared.issues == [], sourceLocation: sourceLocation)
}

/// Checks the type of a statement's rows at compile time.
func rows<Output>(of _: some Statement<Output>) -> [Output] { [] }
