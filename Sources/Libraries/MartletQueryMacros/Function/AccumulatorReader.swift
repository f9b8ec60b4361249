import SwiftSyntax
import SwiftSyntaxMacros

extension FunctionReader {
  /// Reads a struct with `step`, `finalize` and optionally `inverse`.
  func read(_ accumulator: StructDeclSyntax) -> AccumulatorShape? {
    if let generics = accumulator.genericParameterClause {
      context.report(.genericFunction, at: generics)
      return nil
    }
    let methods = accumulator.memberBlock.members.compactMap {
      $0.decl.as(FunctionDeclSyntax.self)
    }.filter { !$0.modifiers.contains { $0.name.tokenKind == .keyword(.static) } }
    func method(_ name: String) -> FunctionDeclSyntax? {
      methods.first { $0.name.identifier?.name == name }
    }
    guard let step = method("step"), let finalize = method("finalize"),
      finalize.signature.parameterClause.parameters.isEmpty
    else {
      context.report(.accumulatorMethods, at: accumulator.name)
      return nil
    }
    for method in [step, finalize] + [method("inverse")].compactMap({ $0 }) {
      if let modifier = method.modifiers.first(where: {
        $0.name.tokenKind == .keyword(.private)
      }) {
        context.report(.privateMethod(method.name.text), at: modifier)
        return nil
      }
    }
    let type = accumulator.name.trimmedDescription
    let plain = type.filter { $0 != "`" }
    let reader = named(
      attribute.name ?? "\"\(plain.prefix(1).lowercased())\(plain.dropFirst())\"",
      access: accumulator)
    guard
      let stepShape = reader.signature(of: step, ignoresResult: true, name: type),
      let finalizeShape = reader.signature(of: finalize, ignoresParameters: true, name: type)
    else { return nil }
    if stepShape.collects {
      context.report(.accumulatorMethods, at: accumulator.name)
      return nil
    }
    var shape = AccumulatorShape(
      type: type, step: stepShape, finalize: finalizeShape, isNested: typeName != nil)
    if let inverse = method("inverse") {
      shape.inverse = reader.signature(of: inverse, ignoresResult: true, name: type)
      guard let other = shape.inverse else { return nil }
      guard other.parameters.map(\.representation) == stepShape.parameters.map(\.representation)
      else {
        context.report(.inverseDiffers, at: inverse.name)
        return nil
      }
    }
    return shape
  }

  /// A reader with this SQL name and the access level of `declaration`.
  func named(_ name: String, access declaration: StructDeclSyntax) -> Self {
    var attribute = attribute
    attribute.name = name
    var copy = Self(attribute: attribute, node: node, context: context)
    copy.access = Access(declaration.modifiers) ?? .module
    return copy
  }
}
