/// How a Swift type is stored in columns.
///
/// Most types represent themselves. `Date.UnixTimeRepresentation` is another representation of
/// `Date`. A `@Table` or `@Selection` struct takes several columns.
public protocol QueryRepresentable<QueryOutput>: SendableMetatype {
  /// The type of the value in Swift code.
  associatedtype QueryOutput = Self
  /// Wraps a value.
  init(queryOutput: QueryOutput)
  /// The wrapped value.
  var queryOutput: QueryOutput { get }
  /// The type without the optional, `Int` for both `Int` and `Int?`, so that one operator serves
  /// both.
  associatedtype Unwrapped: QueryRepresentable = Self
  /// The members of a column of this type: the columns of a group, or ``NoMembers``.
  associatedtype Members: ColumnMembers = NoMembers
  /// The meaning of the stored value, which determines how it is written in JSON.
  static var kind: ColumnKind { get }
  /// The number of columns.
  static var columnCount: Int { get }
  /// Reads the value from the next columns of a row.
  static func decode(_ row: inout RowReader) throws(DecodingProblem) -> QueryOutput
}

extension QueryRepresentable where QueryOutput == Self {
  public init(queryOutput: Self) { self = queryOutput }
  public var queryOutput: Self { self }
}

/// A representation in a single column, which can therefore be bound.
public protocol ColumnRepresentation<QueryOutput>: QueryRepresentable {
  /// The result type of functions that return an integer, or NULL for NULL: `Int`, or `Int?` for an
  /// optional.
  ///
  /// (The three result types are not in `QueryRepresentable`, because the compiler then fails on
  /// tables of fourteen columns.)
  associatedtype AsInt: ColumnRepresentation = Int
  /// The result type of functions that return a number, or NULL for NULL: `Double`, or `Double?`
  /// for an optional.
  associatedtype AsDouble: ColumnRepresentation = Double
  /// The result type of functions that return text, or NULL for NULL: `String`, or `String?` for an
  /// optional.
  associatedtype AsString: ColumnRepresentation = String
  /// The stored form of a value.
  static func bind(_ value: QueryOutput) -> QueryBinding
}

extension ColumnRepresentation {
  /// One column.
  public static var columnCount: Int { 1 }
}

/// A representation that differs from the type it represents, such as `Date.UnixTimeRepresentation`
/// for `Date`: `$0.soldAt = Date()` binds it.
public protocol ForeignRepresentation<QueryOutput>: ColumnRepresentation {}

/// A Swift value that can be used in an expression directly, and usually represents itself.
///
/// An enum with a raw value needs nothing more: `enum Priority: Int, QueryBindable { … }`. Other
/// custom types implement how they are written and read; see ``QueryDecodable``.
public protocol QueryBindable: ColumnRepresentation, QueryDecodable, QueryExpressible
where QueryValue == Self {
  /// The value as it is stored.
  var queryBinding: QueryBinding { get }
}

extension QueryBindable {
  public var queryFragment: QueryFragment { QueryFragment(queryBinding) }
}
extension QueryBindable where QueryOutput == Self {
  public var queryFragment: QueryFragment { QueryFragment(Self.bind(self)) }
}
extension Optional: QueryRepresentable where Wrapped: QueryRepresentable {
  public typealias QueryOutput = Wrapped.QueryOutput?
  /// The type without any optional.
  public typealias Unwrapped = Wrapped.Unwrapped
  /// The members of an optional column, all of them optional.
  public typealias Members = Wrapped.Members.OuterMembers
  public init(queryOutput: Wrapped.QueryOutput?) {
    self = queryOutput.map(Wrapped.init(queryOutput:))
  }
  public var queryOutput: Wrapped.QueryOutput? { map(\.queryOutput) }
  public static var kind: ColumnKind { Wrapped.kind }
  /// The number of columns of the wrapped type.
  public static var columnCount: Int { Wrapped.columnCount }
  @inlinable public static func decode(
    _ row: inout RowReader
  ) throws(DecodingProblem) -> Wrapped.QueryOutput? {
    row.skipNulls(Wrapped.columnCount) ? nil : try Wrapped.decode(&row)
  }
}

extension Optional: ColumnRepresentation where Wrapped: ColumnRepresentation {
  /// `Int?`, because the function is NULL for NULL.
  public typealias AsInt = Int?
  /// `Double?`, because the function is NULL for NULL.
  public typealias AsDouble = Double?
  /// `String?`, because the function is NULL for NULL.
  public typealias AsString = String?
  public static func bind(_ value: Wrapped.QueryOutput?) -> QueryBinding {
    value.map(Wrapped.bind) ?? .null
  }
}

/// `nil` is NULL. A row that is `nil` is NULL in each column.
extension Optional: QueryExpressible, OrderingTerm where Wrapped: QueryExpressible {
  public typealias QueryValue = Wrapped.QueryValue?
  public var queryFragment: QueryFragment {
    guard let self else {
      return QueryValue.columnCount == 1 ? QueryFragment(.null) : "(\(nulls.joined(", ")))"
    }
    return self.queryFragment
  }
  public var selection: [SelectedColumn] {
    guard let self else {
      return zip(nulls, resultColumns(of: QueryValue.self)).map {
        SelectedColumn($0, alias: $1.name, $1)
      }
    }
    return self.selection
  }
  private var nulls: [QueryFragment] {
    Array(repeating: QueryFragment(.null), count: QueryValue.columnCount)
  }
}

/// The result columns of a representation, from left to right. Only a table's columns have names.
func resultColumns<V: QueryRepresentable>(of type: V.Type) -> [ResultColumn] {
  if let row = V.Unwrapped.self as? any Table.Type { return row.resultColumns }
  return Array(repeating: ResultColumn("", kind: V.kind), count: V.columnCount)
}
