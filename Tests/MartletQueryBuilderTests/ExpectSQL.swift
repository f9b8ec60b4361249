import MartletQueryBuilder
import Testing

/// The text of a statement and its bindings, exactly.
func expectSQL(
  _ statement: some Statement, _ sql: String, _ bindings: [QueryBinding] = [],
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let prepared = statement.query.fragment.prepare()
  #expect(prepared.sql == sql, sourceLocation: sourceLocation)
  #expect(prepared.bindings == bindings, sourceLocation: sourceLocation)
}

/// The same for an expression. What is a statement too is taken as one.
@_disfavoredOverload
func expectSQL(
  _ expression: some QueryExpressible, _ sql: String, _ bindings: [QueryBinding] = [],
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let prepared = expression.queryFragment.prepare()
  #expect(prepared.sql == sql, sourceLocation: sourceLocation)
  #expect(prepared.bindings == bindings, sourceLocation: sourceLocation)
}

/// A trigger's text, without the name that its place in the file gives it.
func expectTrigger<T>(
  _ trigger: Trigger<T>, _ sql: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(
    trigger.prepared.sql.replacing("\"\(trigger.name)\"", with: "t") == sql,
    sourceLocation: sourceLocation)
  #expect(trigger.prepared.issues == [], sourceLocation: sourceLocation)
}

/// The type of a statement's rows, for the compiler to check.
func rows<Output>(of _: some Statement<Output>) -> [Output] { [] }
