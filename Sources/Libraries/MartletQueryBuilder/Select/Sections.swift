extension Select where Picked == () {
  /// The rows, each with the value of its section, ordered by section before any other order.
  package func sectioned<E: QueryExpressible>(
    by section: (Scope) -> E
  ) -> Select<Scope, (Output, E.QueryValue.QueryOutput), E.QueryValue> {
    let section = section(scope)
    let decode = decode
    var core = core
    core.pick(core.columns + section.selection)
    core.orders.insert(section.orderFragment, at: 0)
    return Select<Scope, (Output, E.QueryValue.QueryOutput), E.QueryValue>(
      core: core, scope: scope
    ) { row throws(DecodingProblem) in (try decode(&row), try E.QueryValue.decode(&row)) }
  }
}
