/// SQL as a sequence of segments.
///
/// How a segment prints is decided when the fragment is printed, by the parameter of
/// ``QueryFragment/prepare(_:)``, not when it is created. ``QueryFragment/Interpolation`` lists
/// what can be interpolated.
public struct QueryFragment: Hashable, Sendable {
  /// A part of a fragment.
  public enum Segment: Hashable, Sendable {
    /// SQL text.
    case sql(String)
    /// A column, qualified by its table's name, an alias, or `new`, `old`, `excluded`.
    case column(qualifier: String, name: String)
    /// A value, printed as `?` or as a literal.
    case binding(QueryBinding)
    /// A value that is given when the query runs; see ``PreparedQuery``.
    case parameter(Int)
    /// A version of SQLite that the fragment needs. Prints nothing.
    case requirement(Requirement)
    /// The name of a Swift function that the fragment calls. Prints nothing. Only this program's
    /// connections have it.
    case function(String)
  }

  /// The segments, in the order in which they print.
  public internal(set) var segments: [Segment] = []
  /// Properties of the fragment that were known when it was built, in one byte because fragments
  /// are copied often.
  struct Traits: OptionSet, Hashable, Sendable {
    let rawValue: UInt8
    /// Written by hand (`#sql`): as an operand it may need parentheses.
    static let raw = Traits(rawValue: 1)
    /// The fragment contains a SELECT.
    static let select = Traits(rawValue: 2)
    /// A table's name that also qualifies its columns, so that FROM needs no alias.
    static let tableName = Traits(rawValue: 4)
  }
  var traits: Traits = []

  /// An empty fragment.
  public init() {}
  /// A fragment of SQL text.
  public init(raw sql: String) {
    if !sql.isEmpty { segments = [.sql(sql)] }
    if Self.isSelect(in: sql) { traits = .select }
  }
  /// A fragment that binds a value.
  public init(_ binding: QueryBinding) { segments = [.binding(binding)] }
  /// A fragment of a quoted name: `"title"`.
  public init(quote name: String) { segments = [.sql(quoted(identifier: name))] }
  /// A fragment of a qualified column: `"reminders"."title"`.
  public init(column name: String, of qualifier: String) {
    segments = [.column(qualifier: qualifier, name: name)]
  }

  /// Whether there are no segments.
  public var isEmpty: Bool { segments.isEmpty }

  /// Appends a fragment.
  public static func += (left: inout Self, right: Self) {
    left.combine(right)
    if case .sql(let sql)? = right.segments.first {
      left.append(raw: sql)
      left.segments += right.segments.dropFirst()
    } else {
      left.segments += right.segments
    }
  }

  /// The concatenation of two fragments.
  public static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum += right
    return sum
  }

  /// Not named `+= String`, because `sql += "… \(fragment)"` would then compile as the
  /// interpolation of a String.
  mutating func append(raw sql: String) {
    if case .sql(let last)? = segments.last {
      segments[segments.count - 1] = .sql(last + sql)
    } else if !sql.isEmpty {
      segments.append(.sql(sql))
    }
  }

  /// Appends like `+=` but without merging two adjacent texts, which saves copying a text that is
  /// printed soon.
  mutating func appendUnmerged(_ fragment: QueryFragment) {
    segments += fragment.segments
    combine(fragment)
  }
  /// Updates the traits for an appended part.
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

  /// Whether the value is stored as NULL: `nil` or NaN.
  var isNull: Bool {
    guard segments.count == 1, case .binding(let value) = segments[0] else { return false }
    if case .double(let number) = value { return number.isNaN }
    return value == .null
  }

  /// Whether the fragment is only a column of the table or alias with this name.
  func isColumn(of owner: String) -> Bool {
    if segments.count == 1, case .column(owner, _) = segments[0] { true } else { false }
  }

  /// The fragment with unqualified columns, as RETURNING, SET and ON CONFLICT require.
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

  /// The fragment with its values as literals, except for values that cannot be stored.
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

  /// The fragment with the columns of the given tables as text, which ``renaming(_:_:)`` leaves
  /// alone.
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

  /// The fragment with the columns of one table qualified by another name.
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
  /// The fragments, concatenated with a separator of SQL text.
  public func joined(separator: String) -> QueryFragment { joined(separator) }

  /// The fragments, concatenated with a separator of SQL text.
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
