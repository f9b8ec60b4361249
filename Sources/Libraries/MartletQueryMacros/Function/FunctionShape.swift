import SwiftSyntax

/// A parsed declaration with `@DatabaseFunction`, as the Swift text that the writer needs.
struct FunctionShape {
  /// One argument of the SQL call. It has several columns if its type is a row.
  struct Parameter {
    /// The argument label, such as `_` or `times`.
    let label: String
    let name: String
    var representation: String
    /// The probe for a type whose spelling does not determine its representation.
    var stored: StoredType?
    let isOptional: Bool
    var defaultValue: String?
  }

  /// How the generated code accesses the declaration.
  enum Owner {
    case none
    /// A static member of the type.
    case type(String)
    case instance
    /// An instance of a class, referenced weakly.
    case object
  }

  /// The name as written, including backticks.
  let name: String
  /// The SQL name as a Swift string literal.
  let sqlName: String
  let access: Access
  var owner = Owner.none
  var parameters: [Parameter] = []
  /// The Swift types of the parameters.
  var types: [String] = []
  /// The labels of the call. They differ from those of the parameters if the function collects
  /// rows.
  var labels: [String] = []
  /// Whether the only parameter is `some Sequence<…>`, which makes the function an aggregate.
  var collects = false
  /// Whether it is a computed property, which a query uses without parentheses.
  var isProperty = false
  /// The representation of the result, or `nil` for no result.
  var result: String?
  var resultType = "Swift.Void"
  var storedResult: StoredType?
  /// The source location of the declaration.
  var place: SourcePlace?
  var canThrow = false
  let traits: [String]

  var plainName: String { name.filter { $0 != "`" } }
}

/// A parsed struct with `step` and `finalize`.
struct AccumulatorShape {
  let type: String
  let step: FunctionShape
  let finalize: FunctionShape
  /// The method `inverse` of a window function.
  var inverse: FunctionShape?
  /// Whether it is nested in another type.
  var isNested = false
}
