/// A type of another module by its raw value: `@Column(as: Priority.RawRepresentation.self)`. One's own
/// type says `: QueryBindable` instead.
public struct RawValueRepresentation<Value: RawRepresentable>: ColumnRepresentation
where Value.RawValue: QueryBindable {
  public typealias QueryOutput = Value
  public static var kind: ColumnKind { Value.RawValue.kind }
  public static func bind(_ value: Value) -> QueryBinding { Value.RawValue.bind(value.rawValue) }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Value {
    let problem = row.problem("\(Value.self)")
    guard let value = Value(rawValue: try Value.RawValue.decode(&row)) else { throw problem }
    return value
  }
}

extension RawRepresentable where RawValue: QueryBindable {
  public typealias RawRepresentation = RawValueRepresentation<Self>
}
extension Optional where Wrapped: RawRepresentable, Wrapped.RawValue: QueryBindable {
  public typealias RawRepresentation = RawValueRepresentation<Wrapped>?
}

/// Enums with a raw value are stored as it.
extension ColumnRepresentation
where Self: RawRepresentable, RawValue: QueryBindable, QueryOutput == Self {
  public static var kind: ColumnKind { RawValue.kind }
  public static func bind(_ value: Self) -> QueryBinding { RawValue.bind(value.rawValue) }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Self {
    let problem = row.problem("\(Self.self)")
    guard let value = Self(rawValue: try RawValue.decode(&row)) else { throw problem }
    return value
  }
}

/// What can be written as text and read from it is stored so:
/// `struct Email: LosslessStringConvertible, QueryBindable`.
extension ColumnRepresentation where Self: LosslessStringConvertible, QueryOutput == Self {
  @_disfavoredOverload public static var kind: ColumnKind { .text }
  @_disfavoredOverload public static func bind(_ value: Self) -> QueryBinding {
    .text(value.description)
  }
  @_disfavoredOverload public static func decode(
    _ row: inout RowReader
  ) throws(DecodingProblem) -> Self {
    let problem = row.problem("\(Self.self)")
    guard let value = Self(try row.string()) else { throw problem }
    return value
  }
}
