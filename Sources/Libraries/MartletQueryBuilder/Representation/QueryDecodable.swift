/// The columns of a row, for a custom type that implements ``QueryDecodable``.
public protocol QueryDecoder {
  /// Reads the next value; `nil` if it is NULL. A NULL is consumed as well.
  mutating func decode<V: QueryRepresentable>(
    _ type: V.Type
  ) throws(QueryDecodingError) -> V.QueryOutput?
}

/// A custom type that reads itself from a row. With ``QueryBindable/queryBinding``, which writes
/// it, the type is a column:
///
/// ```swift
/// struct Money: QueryBindable {
///   var cents: Int
///   var queryBinding: QueryBinding { .int(Int64(cents)) }
///   init(decoder: inout some QueryDecoder) throws { cents = try Int(decoder: &decoder) }
/// }
/// ```
/// An enum with a raw value can do the same, for example to read values that are not cases. If it
/// is not stored as its raw value, it also declares its `kind`. The representation of another type
/// (`@Column(as: HexRepresentation.self) var color: Color`) also declares `queryOutput` and
/// `init(queryOutput:)` with that type.
public protocol QueryDecodable {
  /// Reads the value from the next columns of a row.
  init(decoder: inout some QueryDecoder) throws
}

/// Why a value cannot be read.
public enum QueryDecodingError: Error {
  /// The column is NULL but the type is not optional, or the stored value is not a value of the
  /// type.
  case missingRequiredColumn
  /// An error of a custom type's ``QueryDecodable/init(decoder:)``.
  case other(any Error)
}

extension RowReader: QueryDecoder {
  @_disfavoredOverload
  @inlinable public mutating func decode<V: QueryRepresentable>(
    _ type: V.Type
  ) throws(QueryDecodingError) -> V.QueryOutput? {
    if skipNulls(V.columnCount) { return nil }
    do { return try V.decode(&self) } catch { throw .other(error) }
  }

  /// Reads a value of a type that implements ``QueryDecodable``.
  @inlinable mutating func read<V: QueryDecodable>(_ type: V.Type) throws(DecodingProblem) -> V {
    let start = place
    do {
      return try V(decoder: &self)
    } catch {
      throw problem(typeName(V.self), from: start, error)
    }
  }

  /// The error for the column that was read last.
  @usableFromInline func problem(
    _ expected: String, from start: Place, _ error: any Error
  ) -> DecodingProblem {
    let last = column - 1
    let problem = problem(
      expected,
      at: last <= start.column ? start : Place(column: last, found: storageClass(at: last)))
    if case QueryDecodingError.missingRequiredColumn = error { return problem }
    let cause = if case QueryDecodingError.other(let inner) = error { inner } else { error }
    return cause as? DecodingProblem ?? problem.because("\(cause)")
  }
}

// Defaults for a type with `queryBinding` and `init(decoder:)`.

extension QueryBindable {
  @_disfavoredOverload public static var kind: ColumnKind { .stored }
  @_disfavoredOverload public static func bind(_ value: QueryOutput) -> QueryBinding {
    Self(queryOutput: value).queryBinding
  }
  @_disfavoredOverload @inlinable public static func decode(
    _ row: inout RowReader
  ) throws(DecodingProblem) -> QueryOutput { try row.read(Self.self).queryOutput }
}

/// A custom row type, read column by column from a hand-written query. It declares its
/// `columnCount`.
extension QueryRepresentable where Self: QueryDecodable, QueryOutput == Self {
  @_disfavoredOverload public static var kind: ColumnKind { .row }
  @_disfavoredOverload @inlinable public static func decode(
    _ row: inout RowReader
  ) throws(DecodingProblem) -> Self { try row.read(Self.self) }
}

/// A type of the standard library or Foundation that this module stores: numbers, text, bytes,
/// dates, UUIDs.
///
/// These types implement `bind` and `decode`. Custom types conform to ``QueryBindable`` instead.
public protocol ScalarValue: QueryBindable where QueryOutput == Self {}

extension ScalarValue {
  public var queryBinding: QueryBinding { Self.bind(self) }
  @inlinable public init(decoder: inout some QueryDecoder) throws(QueryDecodingError) {
    guard let value = try decoder.decode(Self.self) else { throw .missingRequiredColumn }
    self = value
  }
}

extension Optional: QueryDecodable where Wrapped: QueryBindable {
  public init(decoder: inout some QueryDecoder) throws(QueryDecodingError) {
    self = try decoder.decode(Wrapped.self).map(Wrapped.init(queryOutput:))
  }
}
extension Optional: QueryBindable where Wrapped: QueryBindable {
  public var queryBinding: QueryBinding { self?.queryBinding ?? .null }
}
