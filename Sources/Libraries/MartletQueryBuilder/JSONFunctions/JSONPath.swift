/// A path in a JSON document, written as a key path: `\.place.city`, `\.lines[0]`, `\["key"]`
/// (https://sqlite.org/json1.html#path_arguments).
///
/// The members of `@Table` structs have their columns' names and representations, arrays have
/// positions, and dictionaries have keys. For members whose type is not declared, JSON functions
/// also take a path as text.
@dynamicMemberLookup
public struct JSONPath<Representation: QueryRepresentable>: Sendable {
  let steps: [JSONStep]

  init(_ steps: [JSONStep] = []) { self.steps = steps }

  var text: String { JSONStep.path(steps[...]) }

  func stepping<M>(_ step: JSONStep) -> JSONPath<M> { JSONPath<M>(steps + [step]) }

  /// The path of a column or a group of columns of a row.
  public subscript<Row: Table, M>(
    dynamicMember member: KeyPath<Row.TableColumns, TableColumn<Row, M>>
  ) -> JSONPath<M> where Representation.QueryOutput == Row {
    stepping(JSONStep(member: Row.columns[keyPath: member].columnName, of: Row.self))
  }
  /// The path of a column or a group of an optional row, which is therefore optional.
  public subscript<Row: Table, M>(
    dynamicMember member: KeyPath<Row.TableColumns, TableColumn<Row, M>>
  ) -> JSONPath<M.Unwrapped?> where Representation.QueryOutput == Row? {
    stepping(JSONStep(member: Row.columns[keyPath: member].columnName, of: Row.self))
  }
}

// Elements are stored like a column of their type, or as JSON if the type cannot be a column.

extension JSONPath where Representation: JSONDocument {
  /// The path of an array's element, counted from the end if `index` is negative: -1 is the last.
  public subscript<Element: QueryBindable>(index: Int) -> JSONPath<Element>
  where Representation.QueryOutput == [Element] { stepping(JSONStep(index: index)) }
  /// The path of an array's element that is itself an array or object.
  @_disfavoredOverload
  public subscript<Element: Codable>(
    index: Int
  ) -> JSONPath<CodableJSONRepresentation<Element>>
  where Representation.QueryOutput == [Element] { stepping(JSONStep(index: index)) }
  /// The path of a dictionary's value.
  public subscript<Element: QueryBindable>(key: String) -> JSONPath<Element>
  where Representation.QueryOutput == [String: Element] { stepping(JSONStep(key: key)) }
  /// The path of a dictionary's value that is an array or object.
  @_disfavoredOverload
  public subscript<Element: Codable>(
    key: String
  ) -> JSONPath<CodableJSONRepresentation<Element>>
  where Representation.QueryOutput == [String: Element] { stepping(JSONStep(key: key)) }
}

/// A path as a literal. It is not bound, because an index on `json_extract(x, '$.a')` serves only
/// that literal.
func jsonPath(_ text: String) -> QueryFragment { QueryFragment(raw: quoted(literal: text)) }

/// A key path from the root of a document to a member.
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
