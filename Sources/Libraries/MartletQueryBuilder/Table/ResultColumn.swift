/// The meaning of a stored value, and therefore how it is written as JSON.
public enum ColumnKind: Hashable, Sendable {
  /// A number, a text, or a Boolean that is stored as 0 or 1.
  case integer, real, text, boolean
  /// Bytes, written as base64.
  case blob
  /// Text that is a JSON document.
  case json
  /// A JSON document in SQLite's binary format JSONB (https://sqlite.org/jsonb.html).
  case jsonb
  /// An instant stored as the text `yyyy-MM-dd HH:mm:ss.SSS` in UTC, or as `yyyy-MM-dd`.
  case instant
  /// A small integer, written as the word at that position in the list.
  case labels([String])
  /// Text with matches enclosed in the bytes 0xF8 and 0xF9, which never occur in UTF-8. `highlight`
  /// is called with them, as `CAST(x'f8' AS TEXT)`. They are written as `before` and `after`, and
  /// the rest of the text is escaped for HTML.
  case marked(before: String, after: String)
  /// Several columns: a table or a selection.
  case row
  /// A value written as it is stored: the kind of a custom type that only defines how it is bound.
  case stored
  /// A column that is fetched but not written, such as a sort key of a page.
  case hidden
}

/// A group of columns in a result, written as an object in JSON.
public struct ResultGroup: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name of the group, and of the member in JSON.
  public var name: String
  /// Whether the group may be missing. If each of its columns is NULL, it is `nil` in Swift and
  /// `null` in JSON.
  public var isOptional: Bool

  /// Creates a group.
  public init(_ name: String, isOptional: Bool = false) {
    self.name = name
    self.isOptional = isOptional
  }
  public init(stringLiteral name: String) { self.init(name) }
}

/// A column of a result.
public struct ResultColumn: Hashable, Sendable {
  /// The name of the column, and of the member in JSON. Empty for an expression without a name.
  public var name: String
  /// The groups around the column, outermost first. Each is an object in JSON.
  public var groups: [ResultGroup]
  /// The meaning of the column's values.
  public var kind: ColumnKind

  /// Creates a column of a result.
  public init(_ name: String, in groups: [ResultGroup] = [], kind: ColumnKind) {
    self.name = name
    self.groups = groups
    self.kind = kind
  }
}

extension ResultColumn {
  /// The names from the outermost group to the column.
  var path: [String] { groups.map(\.name) + [name] }
}

/// A column in the list of a SELECT: an expression, and the column of the result that it becomes.
public struct SelectedColumn: Sendable {
  /// The expression.
  public var fragment: QueryFragment
  /// The column of the result.
  public var result: ResultColumn
  /// The name after AS, or `nil` if none is written.
  public var alias: String?

  /// Creates a column in the list of a SELECT.
  public init(_ fragment: QueryFragment, alias: String? = nil, _ result: ResultColumn) {
    self.fragment = fragment
    self.alias = alias
    self.result = result
  }

  var clause: QueryFragment {
    alias.map { "\(fragment) AS \(quote: $0)" } ?? fragment
  }
}
