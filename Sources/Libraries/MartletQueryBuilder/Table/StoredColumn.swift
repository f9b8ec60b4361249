/// Determines how a property is stored where the spelling of its type does not say so.
///
/// `@Table` generates a conforming type with a constant. The compiler infers the representation
/// from the type of that constant, which is the result of an overload of `stored` in
/// ``MacroSupport``.
public protocol StoredColumn {
  /// The representation of the property.
  associatedtype Representation: QueryRepresentable
  /// The constant from whose type the representation is inferred.
  static var probe: StoredAs<Representation> { get }
}

/// The result of `MacroSupport.stored`. It has only a type and no content.
public struct StoredAs<Representation: QueryRepresentable>: Sendable {}

extension MacroSupport {
  /// Infers the representation of a property: its own type.
  public static func stored<V: QueryRepresentable>(_ type: V.Type) -> StoredAs<V> { StoredAs() }
  /// Does not compile: the type cannot be stored in a column.
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

  /// Infers the representation of a property with a column name, or of a generated one, which has
  /// to be a single column.
  public static func storedAlone<V: ColumnRepresentation>(_ type: V.Type) -> StoredAs<V> {
    StoredAs()
  }
  /// Does not compile: a group of columns has no name and cannot be generated.
  @available(
    *, unavailable,
    message: """
      A group of columns has no name and cannot be generated. Put the attribute on the properties of the \
      group, each of which is a column
      """
  )
  public static func storedAlone<V: Table>(_ type: V.Type) -> StoredAs<V> { StoredAs() }
  /// Does not compile: a group of columns has no name and cannot be generated.
  @available(
    *, unavailable,
    message: """
      A group of columns has no name and cannot be generated. Put the attribute on the properties of the \
      group, each of which is a column
      """
  )
  public static func storedAlone<V: Table>(_ type: V?.Type) -> StoredAs<V?> { StoredAs() }
  /// Does not compile: the type cannot be stored in a column.
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

/// Stands for a type that cannot be stored, so that the compiler reports the error only once.
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
