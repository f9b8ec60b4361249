import SwiftSyntax

/// A declaration under `@DatabaseFunction`, understood once: what the writer needs, as Swift text.
struct FunctionShape {
  /// One argument of the call in SQL; several columns where its type is a row.
  struct Parameter {
    /// `_`, `times`
    let label: String
    let name: String
    var representation: String
    /// Where the type's spelling does not say how it is stored.
    var stored: StoredType?
    let isOptional: Bool
    var defaultValue: String?
  }

  /// How the declaration is reached from beside it.
  enum Owner {
    case none
    /// A static member of the type.
    case type(String)
    case instance
    /// An instance of a class, which is not kept alive.
    case object
  }

  /// As written, backticks included.
  let name: String
  /// The name in SQL, a Swift literal.
  let sqlName: String
  let access: Access
  var owner = Owner.none
  var parameters: [Parameter] = []
  /// The Swift types of the parameters.
  var types: [String] = []
  /// The labels of the call, which differ from those of the parameters where one collects rows.
  var labels: [String] = []
  /// One parameter is `some Sequence<…>` of all rows: an aggregate.
  var collects = false
  /// A computed property: the value itself stands in a query.
  var isProperty = false
  /// `nil` for none.
  var result: String?
  var resultType = "Swift.Void"
  var storedResult: StoredType?
  /// Where the declaration stands.
  var place: SourcePlace?
  var canThrow = false
  let traits: [String]

  var plainName: String { name.filter { $0 != "`" } }
}

/// A struct with `step` and `finalize` under `@DatabaseFunction`.
struct AccumulatorShape {
  let type: String
  let step: FunctionShape
  let finalize: FunctionShape
  /// Whether it has `inverse`, and so works over windows.
  var inverse: FunctionShape?
  /// Whether it stands in another type.
  var isNested = false
}
