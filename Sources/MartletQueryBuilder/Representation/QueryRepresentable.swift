/// How a Swift type lies in columns. Most types represent themselves; `Date.UnixTimeRepresentation` is
/// one for `Date`; a `@Table` or `@Selection` struct takes several columns.
public protocol QueryRepresentable<QueryOutput>: SendableMetatype {
  /// What Swift code gets and gives.
  associatedtype QueryOutput = Self
  init(queryOutput: QueryOutput)
  var queryOutput: QueryOutput { get }
  /// `Int` for `Int` and for `Int?`: what lets one operator serve both.
  associatedtype Unwrapped: QueryRepresentable = Self
  /// What a column of it has by name: the columns of a table, of all else nothing.
  associatedtype Members: ColumnMembers = NoMembers
  static var kind: ColumnKind { get }
  /// How many columns it takes.
  static var columnCount: Int { get }
  static func decode(_ row: inout RowReader) throws(DecodingProblem) -> QueryOutput
}

extension QueryRepresentable where QueryOutput == Self {
  public init(queryOutput: Self) { self = queryOutput }
  public var queryOutput: Self { self }
}

/// A representation in a single column, which can therefore be bound.
public protocol ColumnRepresentation<QueryOutput>: QueryRepresentable {
  // What a function makes of it that is NULL where it is: `Int`, and `Int?` for an optional.
  // (Not in `QueryRepresentable`: there a table of fourteen columns was more than the compiler takes.)
  associatedtype AsInt: ColumnRepresentation = Int
  associatedtype AsDouble: ColumnRepresentation = Double
  associatedtype AsString: ColumnRepresentation = String
  static func bind(_ value: QueryOutput) -> QueryBinding
}

extension ColumnRepresentation {
  public static var columnCount: Int { 1 }
}

/// A representation of another type, `Date.UnixTimeRepresentation` of `Date`: `$0.soldAt = Date()` binds it.
public protocol ForeignRepresentation<QueryOutput>: ColumnRepresentation {}

/// A Swift value that stands in an expression as it is, and in most cases represents itself.
///
/// An enum with a raw value needs nothing more: `enum Priority: Int, QueryBindable { … }`. Other types of one's own say
/// how they are written and read: ``QueryDecodable`` shows it.
public protocol QueryBindable: ColumnRepresentation, QueryDecodable, QueryExpressible
where QueryValue == Self {
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
  public typealias Unwrapped = Wrapped.Unwrapped
  public typealias Members = Wrapped.Members.OuterMembers
  public init(queryOutput: Wrapped.QueryOutput?) {
    self = queryOutput.map(Wrapped.init(queryOutput:))
  }
  public var queryOutput: Wrapped.QueryOutput? { map(\.queryOutput) }
  public static var kind: ColumnKind { Wrapped.kind }
  public static var columnCount: Int { Wrapped.columnCount }
  @inlinable public static func decode(
    _ row: inout RowReader
  ) throws(DecodingProblem) -> Wrapped.QueryOutput? {
    row.skipNulls(Wrapped.columnCount) ? nil : try Wrapped.decode(&row)
  }
}

extension Optional: ColumnRepresentation where Wrapped: ColumnRepresentation {
  public typealias AsInt = Int?
  public typealias AsDouble = Double?
  public typealias AsString = String?
  public static func bind(_ value: Wrapped.QueryOutput?) -> QueryBinding {
    value.map(Wrapped.bind) ?? .null
  }
}

/// `nil` is NULL; a row that is missing is NULL in each column.
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

/// A representation's columns in a result, from left to right. One that is no table has no name.
func resultColumns<V: QueryRepresentable>(of type: V.Type) -> [ResultColumn] {
  if let row = V.Unwrapped.self as? any Table.Type { return row.resultColumns }
  return Array(repeating: ResultColumn("", kind: V.kind), count: V.columnCount)
}
