/// A place in a JSON document, by key path: `\.place.city`, `\.lines[0]`, `\["key"]`
/// (https://sqlite.org/json1.html#path_arguments).
///
/// Members are those of `@Table` structs, by their columns' names; arrays have positions, dictionaries
/// keys. Where nothing says the type, JSON functions take a path as text.
@dynamicMemberLookup
public struct JSONPath<Value>: Sendable {
  let text: String
  /// Where the last step is a case of an enum: the enum's own place, and the case. To set a case is to set the enum,
  /// or the document would hold two cases.
  let enumCase: (place: String, name: String)?

  init(_ text: String = "$", enumCase: (place: String, name: String)? = nil) {
    self.text = text
    self.enumCase = enumCase
  }

  private func stepping<M>(to name: String, of row: any Table.Type) -> JSONPath<M> {
    JSONPath<M>(
      text + Self.step(name), enumCase: row is any EnumTable.Type ? (text, name) : nil)
  }

  public subscript<M>(
    dynamicMember member: KeyPath<Value.TableColumns, TableColumn<Value, M>>
  ) -> JSONPath<M.QueryOutput> where Value: Table {
    stepping(to: Value.columns[keyPath: member].columnName, of: Value.self)
  }
  /// What is in an optional is optional.
  public subscript<T: Table, M>(
    dynamicMember member: KeyPath<T.TableColumns, TableColumn<T, M>>
  ) -> JSONPath<M.Unwrapped.QueryOutput?> where Value == T? {
    stepping(to: T.columns[keyPath: member].columnName, of: T.self)
  }

  /// The element at `index`; from the end on if negative: -1 is the last.
  public subscript<Element>(index: Int) -> JSONPath<Element> where Value == [Element] {
    JSONPath<Element>(text + (index < 0 ? "[#\(index)]" : "[\(index)]"))
  }
  public subscript<Element>(key: String) -> JSONPath<Element> where Value == [String: Element] {
    JSONPath<Element>(text + Self.step(key))
  }

  /// `.name`, or `."a name"` where it is not plain.
  private static func step(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy {
      $0 == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 32)
    }
    return isPlain && !name.isEmpty ? ".\(name)" : ".\"\(name)\""
  }
}

/// A path is part of a query's shape, not a value: an index on `json_extract(x, '$.a')` needs the text.
func jsonPath(_ text: String) -> QueryFragment { QueryFragment(raw: quoted(literal: text)) }

/// The paths that start at a document's root.
public typealias JSONKeyPath<Document: JSONDocument, Value> =
  KeyPath<JSONPath<Document.QueryOutput>, JSONPath<Value>>

extension KeyPath {
  func fragment<Document, V>() -> QueryFragment
  where Root == JSONPath<Document>, Value == JSONPath<V> {
    jsonPath(JSONPath<Document>()[keyPath: self].text)
  }

  /// The place and the value of a change: a case of an enum replaces the enum's value.
  func change<Document, V>(to value: QueryFragment) -> [QueryFragment]
  where Root == JSONPath<Document>, Value == JSONPath<V> {
    let path = JSONPath<Document>()[keyPath: self]
    guard let enumCase = path.enumCase else { return [jsonPath(path.text), value] }
    let name = QueryFragment(raw: quoted(literal: enumCase.name))
    return [jsonPath(enumCase.place), "json_object(\(name), \(value))"]
  }
}
