/// One step of a ``JSONPath``: `.name` or `[0]`.
struct JSONStep: Sendable {
  let text: String
  /// The name, if the step leads to a case of an enum.
  private(set) var enumCase: String?
  /// Whether the member alone makes a complete value: all other members of the row are optional.
  private(set) var isEnough = true

  /// A step to a column of a row, or to a group of columns.
  init(member name: String, of row: any Table.Type) {
    text = Self.text(of: name)
    guard !(row is any EnumTable.Type) else {
      enumCase = name
      return
    }
    isEnough = Self.columns(of: row).allSatisfy {
      $0.isOptional || ($0.groups.first?.name ?? $0.name) == name
    }
  }
  init(key: String) { text = Self.text(of: key) }
  /// A step to an element, counted from the end if `index` is negative.
  init(index: Int) { text = index < 0 ? "[#\(index)]" : "[\(index)]" }
  private init(_ text: String) { self.text = text }

  /// The position after the last element.
  static let end = JSONStep("[#]")

  static func path(_ steps: ArraySlice<JSONStep>) -> String {
    "$" + steps.map(\.text).joined()
  }

  var isPosition: Bool { text.hasPrefix("[") }

  private static func columns<Row: Table>(of row: Row.Type) -> [ColumnInfo] { Row.TableColumns.all }

  /// `.name`, or `."a name"` if it contains other characters than letters, digits and `_`.
  private static func text(of name: String) -> String {
    let isPlain = name.utf8.allSatisfy {
      $0 == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 32)
    }
    return isPlain && !name.isEmpty ? ".\(name)" : ".\"\(name)\""
  }
}
