/// A statement that freezes its own tables' columns where it stands inside of another one: an alias or another name for a
/// table of the outer query does not mean them.
protocol EmbeddedStatement {
  var embedded: QueryFragment { get }
}

extension Select: EmbeddedStatement {
  var embedded: QueryFragment { core.fragment }
}

extension SelectStatement {
  /// The statement as a part of another one, without parentheses. A ``Compound`` is made of such parts, and `Values` has no
  /// tables of its own.
  var inside: QueryFragment { (self as? any EmbeddedStatement)?.embedded ?? query.fragment }
}
