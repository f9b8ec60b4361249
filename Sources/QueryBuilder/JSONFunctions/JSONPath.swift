/// A place in a JSON document, by key path: `\.place.city`, `\.lines[0]`, `\["key"]`
/// (https://sqlite.org/json1.html#path_arguments).
///
/// Members are those of `@Table` structs, by their columns' names; arrays have positions, dictionaries
/// keys. Where nothing says the type, JSON functions take a path as text.
@dynamicMemberLookup
public struct JSONPath<Value>: Sendable {
  let text: String

  init(_ text: String = "$") { self.text = text }

  public subscript<M>(
    dynamicMember member: KeyPath<Value.TableColumns, TableColumn<Value, M>>
  ) -> JSONPath<M.QueryOutput> where Value: Table {
    JSONPath<M.QueryOutput>(text + Self.step(Value.columns[keyPath: member].columnName))
  }
  /// What is in an optional is optional.
  public subscript<T: Table, M>(
    dynamicMember member: KeyPath<T.TableColumns, TableColumn<T, M>>
  ) -> JSONPath<M.Unwrapped.QueryOutput?> where Value == T? {
    JSONPath<M.Unwrapped.QueryOutput?>(text + Self.step(T.columns[keyPath: member].columnName))
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
}
