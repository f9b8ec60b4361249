import SwiftSyntax
import SwiftSyntaxMacros

/// `@DatabaseFunction`: generates `$name` and its type next to the declaration.
enum DatabaseFunctionMacro: PeerMacro {
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    guard let attribute = FunctionAttribute(node, in: context) else { return [] }
    let reader = FunctionReader(attribute: attribute, node: node, context: context)
    if let function = declaration.as(FunctionDeclSyntax.self) {
      return reader.read(function).map { FunctionWriter($0, in: context).declarations } ?? []
    }
    if let variable = declaration.as(VariableDeclSyntax.self) {
      return reader.read(variable).map { FunctionWriter($0, in: context).declarations } ?? []
    }
    if let accumulator = declaration.as(StructDeclSyntax.self) {
      return reader.read(accumulator).map { AccumulatorWriter($0, in: context).declarations } ?? []
    }
    context.report(.onlyFunctions, at: node)
    return []
  }
}

/// The arguments of a `@DatabaseFunction(…)`.
struct FunctionAttribute {
  /// The function's SQL name as a Swift string literal, including the quotes.
  var name: String?
  /// The function type of `as:`, such as `(A, B) -> R`.
  var representation: FunctionTypeSyntax?
  var representationSyntax: ExprSyntax?
  /// The names of the protocol's properties that are true, such as `isDeterministic`.
  var traits: [String] = []

  /// Reports an invalid argument and returns `nil`.
  init?(_ node: AttributeSyntax, in context: some MacroExpansionContext) {
    for argument in node.arguments?.as(LabeledExprListSyntax.self) ?? [] {
      let value = argument.expression
      switch argument.label?.text {
      case nil:
        guard let name = nameLiteral(value, in: context) else { return nil }
        self.name = name
      case "as":
        if value.is(NilLiteralExprSyntax.self) { continue }
        guard let type = metatypeBase(value).flatMap(functionType) else {
          context.report(.functionTypeNeeded, at: value)
          return nil
        }
        representation = type
        representationSyntax = value
      case let label?:
        guard let flag = context.boolean(value) else { return nil }
        guard flag else { continue }
        let trait = ["directOnly": "isDirectOnly", "innocuous": "isInnocuous"][label] ?? label
        traits.append(trait)
      }
    }
  }
}

/// The type `(A) -> B` of `((A) -> B)`, which the parser reads as an expression.
private func functionType(_ expression: ExprSyntax) -> FunctionTypeSyntax? {
  var type = TypeSyntax("\(raw: expression.trimmedDescription)")
  while let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1,
    let only = tuple.elements.first, only.firstName == nil
  {
    type = only.type
  }
  return type.as(FunctionTypeSyntax.self)
}
