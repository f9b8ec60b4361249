/// SQL in pieces. How a piece is printed is decided when it is printed, by a parameter
/// (``QueryFragment/prepare(_:)``), never by where it was made.
///
/// What may be interpolated into one stands in ``QueryFragment/Interpolation``.
public struct QueryFragment: Hashable, Sendable {
  public enum Segment: Hashable, Sendable {
    case sql(String)
    /// A column by the name of its table, of an alias, or of `new`, `old`, `excluded`.
    case column(qualifier: String, name: String)
    case binding(QueryBinding)
    /// A value that is given when the query is run: ``PreparedQuery``.
    case parameter(Int)
    /// Prints nothing: what the rest needs of SQLite.
    case requirement(Requirement)
    /// Prints nothing: a function in Swift that the rest calls, which only this program's connections have.
    case function(String)
  }

  public internal(set) var segments: [Segment] = []
  /// What is known of it from when it was built. In one byte: fragments are copied a lot.
  struct Traits: OptionSet, Hashable, Sendable {
    let rawValue: UInt8
    /// Written by hand (`#sql`): it may need parentheses where it is an operand.
    static let raw = Traits(rawValue: 1)
    /// A SELECT is part of it, or all of it.
    static let select = Traits(rawValue: 2)
    /// The name of a table as its columns are qualified with: FROM needs no other one.
    static let tableName = Traits(rawValue: 4)
  }
  var traits: Traits = []

  public init() {}
  public init(raw sql: String) {
    if !sql.isEmpty { segments = [.sql(sql)] }
    if Self.isSelect(in: sql) { traits = .select }
  }
  public init(_ binding: QueryBinding) { segments = [.binding(binding)] }
  public init(quote name: String) { segments = [.sql(quoted(identifier: name))] }
  public init(column name: String, of qualifier: String) {
    segments = [.column(qualifier: qualifier, name: name)]
  }

  public var isEmpty: Bool { segments.isEmpty }

  public static func += (left: inout Self, right: Self) {
    left.combine(right)
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

  /// As `+=`, but two texts stay two: what is printed soon is not copied before.
  mutating func appendUnmerged(_ fragment: QueryFragment) {
    segments += fragment.segments
    combine(fragment)
  }
  /// A part has come to it.
  private mutating func combine(_ part: QueryFragment) {
    traits = traits.subtracting(.tableName).union(part.traits.intersection(.select))
  }
  mutating func append(clause keyword: String, _ parts: [QueryFragment], _ separator: String) {
    for (index, part) in parts.enumerated() {
      segments.append(.sql(index == 0 ? keyword : separator))
      appendUnmerged(part)
    }
  }
  mutating func append(conjuncts keyword: String, _ conditions: [QueryFragment]) {
    append(
      clause: keyword, conditions.count > 1 ? conditions.map(\.operand) : conditions, " AND ")
  }

  /// A value that is stored as NULL: `nil`, and what is no number.
  var isNull: Bool {
    guard segments.count == 1, case .binding(let value) = segments[0] else { return false }
    if case .double(let number) = value { return number.isNaN }
    return value == .null
  }

  /// It is one column, and nothing is made of it.
  var isColumn: Bool {
    if segments.count == 1, case .column = segments[0] { true } else { false }
  }

  /// The same with bare columns: what RETURNING, SET and ON CONFLICT want.
  var bare: QueryFragment {
    var copy = QueryFragment()
    copy.traits = traits.intersection(.select)
    for segment in segments {
      if case .column(_, let name) = segment {
        copy.append(raw: quoted(identifier: name))
      } else {
        copy += QueryFragment(segment)
      }
    }
    return copy
  }

  /// The same with its values as text, where they can be stored.
  var literal: QueryFragment {
    var copy = QueryFragment()
    copy.traits = traits.intersection(.select)
    for segment in segments {
      if case .binding(let value) = segment, value.isStorable {
        copy.append(raw: value.literal)
      } else {
        copy += QueryFragment(segment)
      }
    }
    return copy
  }

  /// The same with the columns of these tables as text.
  func freezing(_ qualifiers: Set<String>) -> QueryFragment {
    var copy = QueryFragment()
    copy.traits = traits.intersection(.select)
    for segment in segments {
      if case .column(let qualifier, let name) = segment, qualifiers.contains(qualifier) {
        var text = ""
        text.append(column: name, of: qualifier)
        copy.append(raw: text)
      } else if case .sql(let text) = segment {
        copy.append(raw: text)
      } else {
        copy.segments.append(segment)
      }
    }
    return copy
  }

  /// The same with another name for a table.
  func renaming(_ old: String, _ new: String) -> QueryFragment {
    var copy = self
    copy.segments = segments.map { segment in
      guard case .column(old, let name) = segment else { return segment }
      return .column(qualifier: new, name: name)
    }
    return copy
  }

  private init(_ segment: Segment) { segments = [segment] }
}

extension Sequence<QueryFragment> {
  public func joined(separator: String) -> QueryFragment { joined(separator) }

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
