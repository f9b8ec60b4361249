/// The representation of a type by its raw value, for types of other modules:
/// `@Column(as: Priority.RawRepresentation.self)`.
///
/// Your own types conform to ``QueryBindable`` instead.
public struct RawValueRepresentation<Value: RawRepresentable>: ForeignRepresentation
where Value.RawValue: QueryBindable, Value.RawValue.QueryOutput == Value.RawValue {
  public var queryOutput: Value
  public init(queryOutput: Value) { self.queryOutput = queryOutput }
  public static var kind: ColumnKind { Value.RawValue.kind }
  public static func bind(_ value: Value) -> QueryBinding { Value.RawValue.bind(value.rawValue) }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Value {
    let place = row.place
    guard let value = Value(rawValue: try Value.RawValue.decode(&row)) else {
      throw row.problem(typeName(Value.self), at: place)
    }
    return value
  }
}

extension RawRepresentable where RawValue: QueryBindable, RawValue.QueryOutput == RawValue {
  /// The representation by the raw value.
  public typealias RawRepresentation = RawValueRepresentation<Self>
}
extension Optional
where
  Wrapped: RawRepresentable, Wrapped.RawValue: QueryBindable,
  Wrapped.RawValue.QueryOutput == Wrapped.RawValue
{
  /// The representation by the raw value, or NULL.
  public typealias RawRepresentation = RawValueRepresentation<Wrapped>?
}

/// Enums with a raw value are stored as their raw value.
extension QueryBindable
where
  Self: RawRepresentable, RawValue: QueryBindable, RawValue.QueryOutput == RawValue,
  QueryOutput == Self
{
  public static var kind: ColumnKind { RawValue.kind }
  public var queryBinding: QueryBinding { RawValue.bind(rawValue) }
  @inlinable public init(decoder: inout some QueryDecoder) throws {
    guard let stored = try decoder.decode(RawValue.self), let value = Self(rawValue: stored) else {
      throw QueryDecodingError.missingRequiredColumn
    }
    self = value
  }
}

/// Types that convert to and from text are stored as text:
/// `struct Email: LosslessStringConvertible, QueryBindable`.
extension QueryBindable where Self: LosslessStringConvertible, QueryOutput == Self {
  @_disfavoredOverload public static var kind: ColumnKind { .text }
  @_disfavoredOverload public var queryBinding: QueryBinding { .text(description) }
  @_disfavoredOverload public init(decoder: inout some QueryDecoder) throws {
    guard let value = Self(try String(decoder: &decoder)) else {
      throw QueryDecodingError.missingRequiredColumn
    }
    self = value
  }
}
