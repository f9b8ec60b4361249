import SwiftSyntax
import SwiftSyntaxMacros

/// Writes `$name` and its type for a function or a computed property.
struct FunctionWriter {
  let shape: FunctionShape
  let type: String

  init(_ shape: FunctionShape, in context: some MacroExpansionContext) {
    self.shape = shape
    type = context.makeUniqueName(shape.plainName).text
  }

  var declarations: [DeclSyntax] {
    let kind = shape.collects ? "CollectingDatabaseFunction" : "ScalarDatabaseFunction"
    let place = shape.access.prefix
    let body = "@Sendable (\(bodyTypes)) throws -> \(shape.resultType)"
    var members = ["let body: \(body)"] + shape.storedTypes + shape.traitLines
    if shape.isProperty {
      members += [
        "\(place)typealias QueryValue = \(shape.expressionType)",
        "\(place)var queryFragment: MartletQueryBuilder.QueryFragment {",
        "  (MartletQueryBuilder.MacroSupport.call(self.name) as MartletQueryBuilder.SQLQueryExpression<QueryValue>)",
        "    .queryFragment",
        "}",
      ]
    } else {
      members += shape.call
    }
    members += shape.collects ? collecting : invoking
    let conformances =
      "MartletQueryBuilder.\(kind)"
      + (shape.isProperty ? ", MartletQueryBuilder.QueryExpression" : "")
    return [
      shape.value(type, shape.place?.located(["\(type) \(closure)"]) ?? ["\(type) \(closure)"]),
      declaration(block("\(place)nonisolated struct \(type): \(conformances)", members)),
    ]
  }

  private var bodyTypes: String {
    shape.collects ? "[\(shape.types[0])]" : shape.types.joined(separator: ", ")
  }

  /// The closure that calls the declaration, such as `{ try exclaim($0, times: $1) }`.
  private var closure: String {
    let labels = shape.collects ? shape.labels : shape.parameters.map(\.label)
    let arguments = labels.enumerated().map { index, label in
      (label == "_" ? "" : "\(label): ") + "$\(index)"
    }
    let call = shape.isProperty ? "" : "(\(arguments.joined(separator: ", ")))"
    let attempt = shape.canThrow ? "try " : ""
    switch shape.owner {
    case .none: return "{ \(attempt)\(shape.name)\(call) }"
    case .type(let type): return "{ \(attempt)\(type).\(shape.name)\(call) }"
    case .instance: return "{ \(attempt)self.\(shape.name)\(call) }"
    case .object:
      // On one line, so that compiler diagnostics map to the declaration's line.
      return """
        { [weak self] in guard let self else { \
        throw MartletQueryBuilder.MacroSupport.OwnerIsGone(\(shape.sqlName)) }; \
        return \(attempt)self.\(shape.name)\(call) }
        """
    }
  }

  private var invoking: [String] {
    let arguments = shape.parameters.map { "arguments.decode(\($0.metatype))" }
    return block(
      """
      \(shape.access.prefix)func invoke(_ arguments: inout MartletQueryBuilder.RowReader) throws \
      -> MartletQueryBuilder.QueryBinding
      """, shape.answer("self.body(\(arguments.joined(separator: ", ")))"))
  }

  private var collecting: [String] {
    let place = shape.access.prefix
    let columns = shape.parameters.map { "arguments.decode(\($0.metatype))" }
    return ["\(place)typealias Row = \(shape.types[0])"]
      + block(
        "\(place)func row(_ arguments: inout MartletQueryBuilder.RowReader) throws -> Row",
        ["try (\(columns.joined(separator: ", ")))"])
      + block(
        "\(place)func result(of rows: [Row]) throws -> MartletQueryBuilder.QueryBinding",
        shape.answer("self.body(rows)"))
  }
}

extension FunctionShape.Parameter {
  var metatype: String {
    representation.hasSuffix("?") ? "(\(representation)).self" : "\(representation).self"
  }
}

extension FunctionShape {
  var expressionType: String { result ?? "MartletQueryBuilder.NullRepresentation" }

  /// Probes for the types whose spelling does not determine their representation.
  var storedTypes: [String] {
    let arguments = parameters.enumerated().flatMap { number, parameter in
      parameter.stored?.lines("Argument\(number)", number, access.prefix) ?? []
    }
    return arguments + (storedResult?.lines("Result", parameters.count, access.prefix) ?? [])
  }

  /// `name`, `argumentCount` and the flags that are true.
  var traitLines: [String] {
    let place = access.prefix
    let types = parameters.map(\.metatype).joined(separator: ", ")
    let count = parameters.isEmpty ? "0" : "MartletQueryBuilder.MacroSupport.columnCount(\(types))"
    return [
      "\(place)var name: Swift.String { \(sqlName) }",
      "\(place)var argumentCount: Swift.Int? { \(count) }",
    ] + traits.map { "\(place)var \($0): Swift.Bool { true }" }
  }

  /// The property `$name` with the lines of its getter.
  func value(_ type: String, _ lines: [String]) -> DeclSyntax {
    let isStatic = if case .type = owner { "static " } else { "" }
    return declaration(
      block("\(access.prefix)nonisolated \(isStatic)var $\(plainName): \(type)", lines))
  }

  /// The call in a query: the function's labels and default values, over expressions.
  var call: [String] { callAsFunction(isAggregate: collects) }

  func callAsFunction(isAggregate: Bool) -> [String] {
    let generics = parameters.indices.map { "E\($0): MartletQueryBuilder.QueryExpressible" }
    let conditions = parameters.enumerated().map { index, parameter in
      // An optional parameter also accepts a non-optional expression.
      parameter.isOptional
        ? "E\(index).QueryValue.Unwrapped == (\(parameter.representation)).Unwrapped"
        : "E\(index).QueryValue == \(parameter.representation)"
    }
    var arguments = parameters.enumerated().map { index, parameter in
      let isAlone = parameter.label == parameter.name.filter { $0 != "`" }
      let names = isAlone ? parameter.label : "\(parameter.label) \(parameter.name)"
      let value = parameter.defaultValue.map {
        " = MartletQueryBuilder.MacroSupport.value(\($0), as: \(parameter.metatype))"
      }
      return "\(names): E\(index)\(value ?? "")"
    }
    var passed = parameters.map(\.name)
    if isAggregate {
      arguments += [
        "distinct: Swift.Bool = false",
        "order: (some MartletQueryBuilder.OrderingTerm)? = MartletQueryBuilder.DirectedTerm?.none",
        """
        filter: (some MartletQueryBuilder.QueryExpression<Swift.Bool>)? \
        = MartletQueryBuilder.SQLQueryExpression<Swift.Bool>?.none
        """,
      ]
      passed = ["distinct: distinct", "order: order", "filter: filter"] + passed
    }
    let head =
      "\(access.prefix)func callAsFunction"
      + (generics.isEmpty ? "" : "<\(generics.joined(separator: ", "))>")
    let function = isAggregate ? "aggregate" : "call"
    let call =
      "MartletQueryBuilder.MacroSupport.\(function)(\((["self.name"] + passed).joined(separator: ", ")))"
    let whereClause = conditions.isEmpty ? "" : "where \(conditions.joined(separator: ", ")) "
    let end = ") -> MartletQueryBuilder.SQLQueryExpression<\(expressionType)> \(whereClause){"
    return (arguments.isEmpty ? ["\(head)(\(end)"] : list(head, arguments, end))
      + ["  \(call)", "}"]
  }

  /// The lines that convert the call's value to a result.
  func answer(_ call: String, throwing: Bool = true) -> [String] {
    let call = throwing ? "try \(call)" : call
    guard let result else { return [call, "return .null"] }
    let type = result.hasSuffix("?") ? "(\(result)).self" : "\(result).self"
    return ["MartletQueryBuilder.MacroSupport.result(\(call), as: \(type))"]
  }
}

func declaration(_ lines: [String]) -> DeclSyntax { "\(raw: lines.joined(separator: "\n"))" }
