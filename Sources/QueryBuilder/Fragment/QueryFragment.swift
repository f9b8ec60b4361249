/// SQL in pieces. How a piece is printed is decided when it is printed, by a parameter
/// (``QueryFragment/prepare(_:)``), never by where it was made.
///
/// A fragment's string interpolation takes fragments, expressions and bindings. A plain Swift string in
/// it does not compile: `bind`, `quote` or `raw` has to say what it is.
public struct QueryFragment: Hashable, Sendable {
  public enum Segment: Hashable, Sendable {
    case sql(String)
    /// A column by the name of its table, of an alias, or of `new`, `old`, `excluded`.
    case column(qualifier: String, name: String)
    case binding(QueryBinding)
  }

  public internal(set) var segments: [Segment] = []

  public init() {}
  init(_ sql: StaticString) { segments = [.sql(sql.description)] }
  public init(raw sql: String) { if !sql.isEmpty { segments = [.sql(sql)] } }
  public init(_ binding: QueryBinding) { segments = [.binding(binding)] }
  public init(quote name: String) { segments = [.sql(quoted(identifier: name))] }
  public init(column name: String, of qualifier: String) {
    segments = [.column(qualifier: qualifier, name: name)]
  }

  public var isEmpty: Bool { segments.isEmpty }

  public static func += (left: inout Self, right: Self) {
    if case .sql(let sql)? = right.segments.first {
      left.append(raw: sql)
      left.segments += right.segments.dropFirst()
    } else {
      left.segments += right.segments
    }
  }

  public static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum += right
    return sum
  }

  /// Not `+= String`: `sql += "… \(fragment)"` would then quietly be a String's interpolation.
  mutating func append(raw sql: String) {
    if case .sql(let last)? = segments.last {
      segments[segments.count - 1] = .sql(last + sql)
    } else if !sql.isEmpty {
      segments.append(.sql(sql))
    }
  }

  /// The same with bare columns: what RETURNING, SET and ON CONFLICT want.
  var bare: QueryFragment {
    var copy = QueryFragment()
    for segment in segments {
      if case .column(_, let name) = segment {
        copy.append(raw: quoted(identifier: name))
      } else {
        copy += QueryFragment(segment)
      }
    }
    return copy
  }

  private init(_ segment: Segment) { segments = [segment] }
}

extension QueryFragment: ExpressibleByStringInterpolation {
  public init(stringLiteral sql: String) { self.init(raw: sql) }
  public init(stringInterpolation: Interpolation) { self = stringInterpolation.fragment }

  public struct Interpolation: StringInterpolationProtocol {
    var fragment = QueryFragment()

    public init(literalCapacity: Int, interpolationCount: Int) {
      fragment.segments.reserveCapacity(interpolationCount * 2 + 1)
    }
    public mutating func appendLiteral(_ sql: String) { fragment.append(raw: sql) }
    public mutating func appendInterpolation(_ fragment: QueryFragment) {
      self.fragment += fragment
    }
    public mutating func appendInterpolation(_ binding: QueryBinding) {
      fragment += QueryFragment(binding)
    }
    /// A column, a call, a sub-select. Not a Swift value: that says `bind`.
    public mutating func appendInterpolation(_ expression: some QueryOperand) {
      fragment += expression.queryFragment
    }
    /// All columns of a table, qualified, with commas.
    public mutating func appendInterpolation(_ columns: some TableDefinition) {
      fragment += columns.selection.map(\.fragment).joined(", ")
    }
    /// A table's name.
    public mutating func appendInterpolation<T: Table>(_ table: T.Type) {
      fragment += T.tableReference
    }
    /// A value, bound.
    public mutating func appendInterpolation(bind value: some QueryBindable) {
      fragment += value.queryFragment
    }
    /// An identifier.
    public mutating func appendInterpolation(quote name: String) {
      fragment.append(raw: quoted(identifier: name))
    }
    /// SQL as it stands. The caller answers for what is in it.
    public mutating func appendInterpolation(raw sql: String) { fragment.append(raw: sql) }
  }
}

extension Sequence<QueryFragment> {
  package func joined(_ separator: String) -> QueryFragment {
    var result = QueryFragment()
    var isFirst = true
    for fragment in self {
      if !isFirst { result.append(raw: separator) }
      isFirst = false
      result += fragment
    }
    return result
  }
}
