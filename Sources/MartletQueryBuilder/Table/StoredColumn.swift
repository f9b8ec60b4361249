/// How a property's type is stored: what `@Table` asks the compiler where the type's spelling does not say it.
/// The representation is inferred from the constant's type, which is one of the results of ``MacroSupport``'s
/// `stored`.
public protocol StoredColumn {
  associatedtype Representation: QueryRepresentable
  static var probe: StoredAs<Representation> { get }
}

/// The result of `MacroSupport.stored`: nothing but a type.
public struct StoredAs<Representation: QueryRepresentable>: Sendable {}

extension MacroSupport {
  /// The representation of a property's type: itself.
  public static func stored<V: QueryRepresentable>(_ type: V.Type) -> StoredAs<V> { StoredAs() }
  @available(
    *, unavailable,
    message: """
      The type is not representable as a column. Apply '@Column(as: T.JSONRepresentation.self)' to store a \
      Codable type as JSON, conform one with a raw value to 'QueryBindable', or make a struct of columns a \
      '@Selection'
      """
  )
  @_disfavoredOverload
  public static func stored<V>(_ type: V.Type) -> StoredAs<Unrepresentable<V>> { StoredAs() }

  /// The same of a column with a name of its own, or one that SQLite generates.
  public static func storedAlone<V: ColumnRepresentation>(_ type: V.Type) -> StoredAs<V> {
    StoredAs()
  }
  @available(
    *, unavailable,
    message: """
      A group of columns has no name of its own and cannot be generated. Say so at the properties of the \
      group, each of which is a column
      """
  )
  public static func storedAlone<V: Table>(_ type: V.Type) -> StoredAs<V> { StoredAs() }
  @available(
    *, unavailable,
    message: """
      A group of columns has no name of its own and cannot be generated. Say so at the properties of the \
      group, each of which is a column
      """
  )
  public static func storedAlone<V: Table>(_ type: V?.Type) -> StoredAs<V?> { StoredAs() }
  @available(
    *, unavailable,
    message: """
      The type is not representable as a column. Apply '@Column(as: T.JSONRepresentation.self)' to store a \
      Codable type as JSON, or conform one with a raw value to 'QueryBindable'
      """
  )
  @_disfavoredOverload
  public static func storedAlone<V>(_ type: V.Type) -> StoredAs<Unrepresentable<V>> { StoredAs() }
}

/// Stands for a type that cannot be stored, so that the compiler says so once.
public struct Unrepresentable<Value>: ColumnRepresentation {
  public var queryOutput: Value
  public init(queryOutput: Value) { self.queryOutput = queryOutput }
  public static var kind: ColumnKind { .stored }
  public static func bind(_ value: Value) -> QueryBinding {
    .invalid(reason: "\(typeName(Value.self)) is not representable as a column")
  }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Value {
    throw row.problem(typeName(Value.self))
  }
}
