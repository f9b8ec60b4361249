import SwiftSyntax

/// The type of an initial value, as far as its spelling reveals it: literals, `Foo()`, `Foo.bar`,
/// `x as Foo`.
func inferredType(of value: ExprSyntax) -> TypeSyntax? {
  if let name = literalType(of: value) { return "\(raw: name)" }
  if let forced = value.as(ForceUnwrapExprSyntax.self) {
    guard let call = forced.expression.as(FunctionCallExprSyntax.self) else { return nil }
    return spelledType(call.calledExpression)
  }
  if let call = value.as(FunctionCallExprSyntax.self) {
    // `init(rawValue:)` is often failable, but not in a generic struct.
    if call.arguments.first?.label?.text == "rawValue",
      !call.calledExpression.is(GenericSpecializationExprSyntax.self)
    {
      return nil
    }
    if let wrapped = optionalPayload(of: call) { return "\(raw: wrapped)?" }
    // `Foo(…)`, `Foo.Bar(…)`, or a factory method such as `Foo.make(…)`, which by convention
    // returns `Foo`.
    return spelledType(call.calledExpression) ?? ownerType(call.calledExpression)
  }
  if let sequence = value.as(SequenceExprSyntax.self) {
    let elements = Array(sequence.elements)
    if let cast = elements.last?.as(TypeExprSyntax.self), elements.count == 3,
      elements[1].is(UnresolvedAsExprSyntax.self)
    {
      return cast.type
    }
    return arithmeticType(of: elements)
  }
  return ownerType(value)
}

/// The wrapped type of `Optional("hi")`.
private func optionalPayload(of call: FunctionCallExprSyntax) -> String? {
  guard call.calledExpression.trimmedDescription == "Optional",
    let argument = call.arguments.first, call.arguments.count == 1, argument.label == nil
  else { return nil }
  return inferredType(of: argument.expression)?.trimmedDescription
}

private func literalType(of value: ExprSyntax) -> String? {
  switch value.kind {
  case .stringLiteralExpr: return "Swift.String"
  case .integerLiteralExpr: return "Swift.Int"
  case .floatLiteralExpr: return "Swift.Double"
  case .booleanLiteralExpr: return "Swift.Bool"
  case .prefixOperatorExpr:
    guard let sign = value.as(PrefixOperatorExprSyntax.self),
      ["-", "+"].contains(sign.operator.text)
    else { return nil }
    let type = literalType(of: sign.expression)
    return type == "Swift.Int" || type == "Swift.Double" ? type : nil
  default: return nil
  }
}

/// The type of an arithmetic expression such as `60 * 60 * 24`.
private func arithmeticType(of elements: [ExprSyntax]) -> TypeSyntax? {
  var isDouble = false
  for (position, element) in elements.enumerated() {
    if position % 2 == 1 {
      guard let sign = element.as(BinaryOperatorExprSyntax.self),
        ["+", "-", "*", "/", "%"].contains(sign.operator.text)
      else { return nil }
    } else {
      let type = literalType(of: element)
      guard type == "Swift.Int" || type == "Swift.Double" else { return nil }
      isDouble = isDouble || type == "Swift.Double"
    }
  }
  return isDouble ? "Swift.Double" : "Swift.Int"
}

/// The type `Foo` of `Foo.bar`.
private func ownerType(_ value: ExprSyntax) -> TypeSyntax? {
  // The type of `Self.epoch` is known only from its declaration.
  guard let access = value.as(MemberAccessExprSyntax.self), let base = access.base,
    base.trimmedDescription != "Self"
  else { return nil }
  return spelledType(base)
}

/// A type written as an expression: capitalized names, `Foo<Bar>`, `[UInt8]`, `Int?`.
private func spelledType(_ value: ExprSyntax) -> TypeSyntax? {
  func isType(_ value: ExprSyntax) -> Bool {
    if let name = value.as(DeclReferenceExprSyntax.self) {
      return name.argumentNames == nil && startsWithCapital(name.baseName)
    }
    if let member = value.as(MemberAccessExprSyntax.self), let base = member.base {
      return startsWithCapital(member.declName.baseName) && isType(base)
    }
    if let generic = value.as(GenericSpecializationExprSyntax.self) {
      return isType(generic.expression)
    }
    if let optional = value.as(OptionalChainingExprSyntax.self) {
      return isType(optional.expression)
    }
    if let array = value.as(ArrayExprSyntax.self), array.elements.count == 1 {
      return array.elements.first.map { isType($0.expression) } ?? false
    }
    return false
  }
  return isType(value) ? "\(raw: value.trimmedDescription)" : nil
}

private func startsWithCapital(_ token: TokenSyntax) -> Bool {
  guard let first = (token.identifier?.name ?? token.text).first else { return false }
  return first.isUppercase
}
