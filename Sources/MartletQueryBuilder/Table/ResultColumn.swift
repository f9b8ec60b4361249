/// What a stored value means: how JSON prints it.
public enum ColumnKind: Hashable, Sendable {
  case integer, real, text, boolean
  /// Bytes; base64 in JSON.
  case blob
  /// Text that is JSON already.
  case json
  /// JSON as SQLite's binary JSONB.
  case jsonb
  /// An instant as `yyyy-MM-dd HH:mm:ss.SSS` in UTC, or a bare `yyyy-MM-dd`.
  case instant
  /// A small integer that stands for a word: its position in the list.
  case labels([String])
  /// Text with matches between the bytes 0xF8 and 0xF9, which no text in UTF-8 holds, as `highlight` was told to mark
  /// them: `CAST(x'f8' AS TEXT)`. In JSON the marks become `before` and `after`, and the rest is escaped for HTML.
  case marked(before: String, after: String)
  /// Several columns: a table or a selection.
  case row
  /// Whatever is stored: a type of one's own that says only how it is bound.
  case stored
  /// Fetched for another use than printing: a page's sort keys.
  case hidden
}

/// A group of columns in a result: an object in JSON.
public struct ResultGroup: Hashable, Sendable, ExpressibleByStringLiteral {
  public var name: String
  /// Whether it may be missing: with NULL in each of its columns it is `nil` in Swift and `null` in JSON.
  public var isOptional: Bool

  public init(_ name: String, isOptional: Bool = false) {
    self.name = name
    self.isOptional = isOptional
  }
  public init(stringLiteral name: String) { self.init(name) }
}

/// One column of a result.
public struct ResultColumn: Hashable, Sendable {
  public var name: String
  /// The groups around the column, outermost first: objects around the member in JSON.
  public var groups: [ResultGroup]
  public var kind: ColumnKind

  public init(_ name: String, in groups: [ResultGroup] = [], kind: ColumnKind) {
    self.name = name
    self.groups = groups
    self.kind = kind
  }
}

extension ResultColumn {
  /// The names from the outermost group to its own.
  var path: [String] { groups.map(\.name) + [name] }
}

/// A column of a SELECT: what is computed, and what it is called in the result.
public struct SelectedColumn: Sendable {
  public var fragment: QueryFragment
  public var result: ResultColumn
  /// The name in SQL (`AS "…"`), where one is needed.
  public var alias: String?

  public init(_ fragment: QueryFragment, alias: String? = nil, _ result: ResultColumn) {
    self.fragment = fragment
    self.alias = alias
    self.result = result
  }

  var clause: QueryFragment {
    alias.map { "\(fragment) AS \(quote: $0)" } ?? fragment
  }
}
