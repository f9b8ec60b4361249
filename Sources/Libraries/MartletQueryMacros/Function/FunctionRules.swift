import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

// The restrictions on database functions. Each check reports its error and returns `false`.
extension FunctionReader {
  /// Checks that `as:` has as many parameters as the function.
  func checkCount(_ count: Int) -> Bool {
    guard let representation = attribute.representation,
      representation.parameters.count != count
    else { return true }
    context.report(
      .functionTypeCount(expected: count, found: representation.parameters.count),
      at: attribute.representationSyntax.map(Syntax.init) ?? Syntax(node))
    return false
  }

  /// Checks that a type can be stored in SQL.
  func checkRepresentable(_ type: TypeSyntax, at place: TypeSyntax) -> Bool {
    if let json = type.onlyAsJSON {
      context.report(
        .functionTypeNotStored(type: type.trimmedDescription, json: json), at: place,
        fixIts: function.map { [storingAsJSON($0)] } ?? [])
      return false
    }
    if type.is(FunctionTypeSyntax.self) || type.is(TupleTypeSyntax.self)
      || type.is(SomeOrAnyTypeSyntax.self)
    {
      context.report(.notRepresentable(type: type.trimmedDescription), at: place)
      return false
    }
    return true
  }

  /// Checks that the function is neither isolated to an actor nor mutating.
  func checkIsolation(
    _ modifiers: DeclModifierListSyntax, _ attributes: AttributeListSyntax,
    _ declaration: some DeclSyntaxProtocol
  ) -> Bool {
    if let actor = attributes.named("MainActor") {
      let token = TokenSyntax.keyword(.nonisolated)
      context.report(
        .isolatedFunction, at: actor, fixIts: [Fix.makeNonisolated.replacing(actor, with: token)])
      return false
    }
    if let mutating = modifiers.first(where: { $0.name.tokenKind == .keyword(.mutating) }) {
      context.report(.mutatingFunction, at: mutating)
      return false
    }
    return true
  }

  /// How the declaration is accessed. Returns `nil` after reporting an actor's isolated member.
  func owner(of modifiers: DeclModifierListSyntax) -> FunctionShape.Owner? {
    guard let type = typeName else { return FunctionShape.Owner.none }
    let keywords = modifiers.map(\.name.tokenKind)
    if keywords.contains(.keyword(.static)) || keywords.contains(.keyword(.class)) {
      return .type(type)
    }
    guard let enclosing = context.lexicalContext.first else { return .instance }
    if enclosing.is(ActorDeclSyntax.self), !keywords.contains(.keyword(.nonisolated)) {
      context.report(.isolatedFunction, at: node)
      return nil
    }
    return enclosing.is(ClassDeclSyntax.self) || enclosing.is(ActorDeclSyntax.self)
      ? .object : .instance
  }

  /// A fix-it that adds `as:`:
  /// `@DatabaseFunction(as: (([String].JSONRepresentation) -> Int).self)`.
  func storingAsJSON(_ function: FunctionDeclSyntax) -> FixIt {
    func representation(_ type: TypeSyntax) -> String {
      guard let json = type.onlyAsJSON else { return type.trimmedDescription }
      return "\(json).JSONRepresentation" + (type.isOptional ? "?" : "")
    }
    let parameters = function.signature.parameterClause.parameters.map { representation($0.type) }
    let result = function.signature.returnClause.map { representation($0.type) } ?? "Void"
    let type = "((\(parameters.joined(separator: ", "))) -> \(result)).self"
    let others = (node.arguments?.as(LabeledExprListSyntax.self) ?? [])
      .map { $0.with(\.trailingComma, nil).trimmedDescription }
    // The name is the first argument, the flags are the last ones.
    let named = others.filter { $0.hasPrefix("\"") }
    let list = named + ["as: \(type)"] + others.filter { !$0.hasPrefix("\"") }
    let name = node.attributeName.trimmedDescription
    return Fix.passAsJSON(type).replacing(
      node, with: AttributeSyntax("@\(raw: name)(\(raw: list.joined(separator: ", ")))"))
  }
}
