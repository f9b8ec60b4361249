/// A place in a JSON document, by key path: `\.place.city`, `\.lines[0]`, `\["key"]`
/// (https://sqlite.org/json1.html#path_arguments).
///
/// Members are those of `@Table` structs, by their columns' names and with their columns' representations; arrays
/// have positions, dictionaries keys. Where nothing says the type, JSON functions take a path as text.
@dynamicMemberLookup
public struct JSONPath<Representation: QueryRepresentable>: Sendable {
  let steps: [JSONStep]

  init(_ steps: [JSONStep] = []) { self.steps = steps }

  var text: String { JSONStep.path(steps[...]) }

  func stepping<M>(_ step: JSONStep) -> JSONPath<M> { JSONPath<M>(steps + [step]) }

  /// A member of a row: of a document, or of a group of columns in one.
  public subscript<Row: Table, M>(
    dynamicMember member: KeyPath<Row.TableColumns, TableColumn<Row, M>>
  ) -> JSONPath<M> where Representation.QueryOutput == Row {
    stepping(JSONStep(member: Row.columns[keyPath: member].columnName, of: Row.self))
  }
  /// What is in an optional is optional.
  public subscript<Row: Table, M>(
    dynamicMember member: KeyPath<Row.TableColumns, TableColumn<Row, M>>
  ) -> JSONPath<M.Unwrapped?> where Representation.QueryOutput == Row? {
    stepping(JSONStep(member: Row.columns[keyPath: member].columnName, of: Row.self))
  }
}

// Elements are stored as a column of their type is, and as JSON where none is.

extension JSONPath where Representation: JSONDocument {
  /// The element at `index`; from the end on if negative: -1 is the last.
  public subscript<Element: QueryBindable>(index: Int) -> JSONPath<Element>
  where Representation.QueryOutput == [Element] { stepping(JSONStep(index: index)) }
  @_disfavoredOverload
  public subscript<Element: Codable>(
    index: Int
  ) -> JSONPath<CodableJSONRepresentation<Element>>
  where Representation.QueryOutput == [Element] { stepping(JSONStep(index: index)) }
  public subscript<Element: QueryBindable>(key: String) -> JSONPath<Element>
  where Representation.QueryOutput == [String: Element] { stepping(JSONStep(key: key)) }
  @_disfavoredOverload
  public subscript<Element: Codable>(
    key: String
  ) -> JSONPath<CodableJSONRepresentation<Element>>
  where Representation.QueryOutput == [String: Element] { stepping(JSONStep(key: key)) }
}

/// A path is part of a query's shape, not a value: an index on `json_extract(x, '$.a')` needs the text.
func jsonPath(_ text: String) -> QueryFragment { QueryFragment(raw: quoted(literal: text)) }

/// The paths that start at a document's root.
public typealias JSONKeyPath<Document: JSONDocument, Member: QueryRepresentable> =
  KeyPath<JSONPath<Document>, JSONPath<Member>>

extension KeyPath {
  func path<Document, Member>() -> JSONPath<Member>
  where Root == JSONPath<Document>, Value == JSONPath<Member> {
    JSONPath<Document>()[keyPath: self]
  }
  func fragment<Document, Member>() -> QueryFragment
  where Root == JSONPath<Document>, Value == JSONPath<Member> { jsonPath(path().text) }
}
