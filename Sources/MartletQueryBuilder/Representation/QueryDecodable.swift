/// A row, for a type of one's own that is read from it: ``QueryDecodable``.
public protocol QueryDecoder {
  /// The next value, `nil` where it is NULL. A NULL is passed by as well.
  mutating func decode<V: QueryRepresentable>(
    _ type: V.Type
  ) throws(QueryDecodingError) -> V.QueryOutput?
}

/// What says itself how it is read. With ``QueryBindable/queryBinding``, which says how it is written, it is a column:
///
/// ```swift
/// struct Money: QueryBindable {
///   var cents: Int
///   var queryBinding: QueryBinding { .int(Int64(cents)) }
///   init(decoder: inout some QueryDecoder) throws { cents = try Int(decoder: &decoder) }
/// }
/// ```
/// An enum with a raw value may do the same, to read what is no case of it, for example; if it is written
/// as another kind of value than its raw one, it says its `kind` too. A representation of another type
/// (`@Column(as: HexRepresentation.self) var color: Color`) has the other one as `queryOutput` and
/// `init(queryOutput:)` besides.
public protocol QueryDecodable {
  init(decoder: inout some QueryDecoder) throws
}

/// Why a value cannot be read.
public enum QueryDecodingError: Error {
  /// NULL, where the type has no place for it.
  case missingRequiredColumn
  /// What a type of one's own says.
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

  /// A value that reads itself.
  @inlinable mutating func read<V: QueryDecodable>(_ type: V.Type) throws(DecodingProblem) -> V {
    let start = place
    do {
      return try V(decoder: &self)
    } catch {
      throw problem(typeName(V.self), from: start, error)
    }
  }

  /// The column that was read last is the one that is wrong.
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

// What a type with `queryBinding` and `init(decoder:)` needs not say.

extension QueryBindable {
  @_disfavoredOverload public static var kind: ColumnKind { .stored }
  @_disfavoredOverload public static func bind(_ value: QueryOutput) -> QueryBinding {
    Self(queryOutput: value).queryBinding
  }
  @_disfavoredOverload @inlinable public static func decode(
    _ row: inout RowReader
  ) throws(DecodingProblem) -> QueryOutput { try row.read(Self.self).queryOutput }
}

/// A row of one's own: what a query by hand gives, column by column. It says how many those are.
extension QueryRepresentable where Self: QueryDecodable, QueryOutput == Self {
  @_disfavoredOverload public static var kind: ColumnKind { .row }
  @_disfavoredOverload @inlinable public static func decode(
    _ row: inout RowReader
  ) throws(DecodingProblem) -> Self { try row.read(Self.self) }
}

/// What SQLite and Foundation have: numbers, texts, bytes, dates, UUIDs. Types of one's own conform to
/// ``QueryBindable``: these here are the ones that `bind` and `decode` are written for.
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
