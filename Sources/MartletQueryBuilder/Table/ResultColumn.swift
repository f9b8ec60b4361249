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

/// One column of a result.
public struct ResultColumn: Hashable, Sendable {
  public var name: String
  /// The names of the groups around the column, outermost first: objects around the member in JSON.
  public var groups: [String]
  public var kind: ColumnKind

  public init(_ name: String, in groups: [String] = [], kind: ColumnKind) {
    self.name = name
    self.groups = groups
    self.kind = kind
  }
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
