import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacros

/// Parses a declaration with `@DatabaseFunction`. Errors are reported at the offending syntax.
struct FunctionReader<Context: MacroExpansionContext> {
  let attribute: FunctionAttribute
  let node: AttributeSyntax
  let context: Context
  /// The access level, if it differs from the declaration's own.
  var access: Access?
  /// The function that a fix-it rewrites.
  var function: FunctionDeclSyntax?

  init(attribute: FunctionAttribute, node: AttributeSyntax, context: Context) {
    self.attribute = attribute
    self.node = node
    self.context = context
  }

  /// Reads a function.
  func read(_ function: FunctionDeclSyntax) -> FunctionShape? {
    guard checkIsolation(function.modifiers, function.attributes, function),
      let owner = owner(of: function.modifiers)
    else { return nil }
    var reader = self
    reader.function = function
    guard var shape = reader.signature(of: function) else { return nil }
    shape.place = SourcePlace(of: function.name, in: context)
    shape.owner = owner
    return shape
  }

  /// Reads a computed property.
  func read(_ variable: VariableDeclSyntax) -> FunctionShape? {
    guard let binding = variable.bindings.first, variable.bindings.count == 1,
      let name = binding.pattern.as(IdentifierPatternSyntax.self), binding.isComputed
    else {
      context.report(.onlyComputed, at: variable.bindings.first?.pattern ?? "")
      return nil
    }
    guard checkIsolation(variable.modifiers, variable.attributes, variable),
      let owner = owner(of: variable.modifiers)
    else { return nil }
    guard let type = binding.typeAnnotation?.type else {
      context.report(.typeNeeded(name.identifier.text), at: binding.pattern)
      return nil
    }
    var effects: AccessorEffectSpecifiersSyntax?
    if case .accessors(let accessors)? = binding.accessorBlock?.accessors {
      effects =
        accessors.first { $0.accessorSpecifier.tokenKind == .keyword(.get) }?
        .effectSpecifiers
    }
    if let keyword = effects?.asyncSpecifier {
      context.report(.asyncFunction, at: keyword)
      return nil
    }
    var shape = self.shape(name.identifier.trimmedDescription, variable.modifiers)
    shape.owner = owner
    shape.isProperty = true
    shape.canThrow = effects?.throwsClause != nil
    guard checkCount(0), setResult(type, of: &shape) else { return nil }
    return shape
  }

  /// A shape with the declaration's names and access level.
  func shape(_ name: String, _ modifiers: DeclModifierListSyntax) -> FunctionShape {
    let enclosing = context.lexicalContext.first?.as(ExtensionDeclSyntax.self)
    let access =
      access ?? Access(modifiers) ?? enclosing.flatMap { Access($0.modifiers) } ?? .module
    return FunctionShape(
      name: name, sqlName: attribute.name ?? "\"\(name.filter { $0 != "`" })\"", access: access,
      traits: attribute.traits)
  }

  /// Reads the parameters and the result of a function.
  func signature(
    of function: FunctionDeclSyntax, ignoresResult: Bool = false, ignoresParameters: Bool = false,
    name: String? = nil
  ) -> FunctionShape? {
    if let generics = function.genericParameterClause {
      context.report(.genericFunction, at: generics)
      return nil
    }
    let effects = function.signature.effectSpecifiers
    if let keyword = effects?.asyncSpecifier {
      let without = function.with(\.signature.effectSpecifiers!.asyncSpecifier, nil)
      context.report(
        .asyncFunction, at: keyword,
        fixIts: [
          Fix.removeAsync.replacing(
            function.signature,
            with: without.signature.effectSpecifiers?.throwsClause == nil
              ? without.signature.with(\.effectSpecifiers, nil) : without.signature)
        ])
      return nil
    }
    var shape = shape(name ?? function.name.trimmedDescription, function.modifiers)
    shape.canThrow = effects?.throwsClause != nil
    let parameters = function.signature.parameterClause.parameters
    if !ignoresParameters {
      guard read(parameters, into: &shape, of: function) else { return nil }
    }
    if !ignoresResult {
      let result = function.signature.returnClause?.type
      guard setResult(result, of: &shape) else { return nil }
    }
    return shape
  }

  /// Reads the parameters. Returns `false` after reporting an error.
  func read(
    _ parameters: FunctionParameterListSyntax, into shape: inout FunctionShape,
    of function: FunctionDeclSyntax
  ) -> Bool {
    for parameter in parameters {
      if parameter.ellipsis != nil {
        context.report(.variadicParameter, at: parameter.type)
        return false
      }
      if let attributed = parameter.type.as(AttributedTypeSyntax.self),
        let specifier = attributed.specifiers.first(where: {
          $0.trimmedDescription == "inout"
        })
      {
        context.report(
          .inoutParameter, at: specifier,
          fixIts: [
            Fix.removeInout.replacing(
              parameter, with: parameter.with(\.type, attributed.baseType.trimmed))
          ])
        return false
      }
    }
    if let opaque = parameters.lazy.compactMap({ $0.type.as(SomeOrAnyTypeSyntax.self) }).first {
      guard let element = sequenceElement(opaque) else {
        context.report(.genericFunction, at: opaque)
        return false
      }
      guard parameters.count == 1, let parameter = parameters.first else {
        context.report(.severalSequences, at: opaque)
        return false
      }
      shape.collects = true
      return readRow(element, of: parameter, into: &shape)
    }
    guard checkCount(parameters.count) else { return false }
    let representations = attribute.representation?.parameters.map(\.type)
    for (index, parameter) in parameters.enumerated() {
      let name = variableName(parameter.secondName ?? parameter.firstName)
      guard
        let added = add(
          parameter.type, given: representations?[index], label: parameter.firstName.text,
          name: name, default: parameter.defaultValue?.value, to: &shape)
      else { return false }
      shape.types.append(added)
    }
    return true
  }

  /// Reads the parameter of an aggregate, `some Sequence<…>`: each row is one column, or a tuple of
  /// columns.
  func readRow(
    _ element: TypeSyntax, of parameter: FunctionParameterSyntax, into shape: inout FunctionShape
  ) -> Bool {
    let label = parameter.firstName.text
    shape.labels = [label]
    guard let tuple = element.as(TupleTypeSyntax.self), tuple.elements.count > 1 else {
      let name = variableName(parameter.secondName ?? parameter.firstName)
      guard checkCount(1) else { return false }
      let given = attribute.representation?.parameters.first?.type
      guard
        let type = add(
          element, given: given.map { sequenceElement($0) ?? $0 }, label: label, name: name,
          default: nil, to: &shape)
      else { return false }
      shape.types = [type]
      return true
    }
    guard checkCount(tuple.elements.count) else { return false }
    let representations = attribute.representation?.parameters.map(\.type)
    for (index, element) in tuple.elements.enumerated() {
      let own = element.firstName?.text ?? "_"
      guard
        add(
          element.type, given: representations?[index],
          label: index == 0 && own == "_" ? label : own, name: "column\(index)", default: nil,
          to: &shape) != nil
      else { return false }
    }
    shape.types = [text(TypeSyntax(tuple))]
    return true
  }

  /// Adds a parameter and returns its Swift type.
  func add(
    _ type: TypeSyntax, given: TypeSyntax?, label: String, name: String, default value: ExprSyntax?,
    to shape: inout FunctionShape
  ) -> String? {
    let representation = given ?? type
    guard checkRepresentable(representation, at: type) else { return nil }
    var spelled = text(representation.optionalSugar)
    if given != nil, type.isOptional, !isOptionalSpelling(spelled) { spelled += "?" }
    let number = shape.parameters.count
    let stored = given == nil ? storedType(type, spelled, at: type) : nil
    shape.parameters.append(
      FunctionShape.Parameter(
        label: label, name: name,
        representation: stored == nil ? spelled : "Argument\(number)", stored: stored,
        isOptional: type.isOptional,
        defaultValue: value.map { $0.text(selfName: typeName ?? "Self") }))
    return text(type.optionalSugar)
  }

  /// Sets the result's type. Returns `false` after reporting an error.
  func setResult(_ type: TypeSyntax?, of shape: inout FunctionShape) -> Bool {
    guard let type, !["Void", "()", "Swift.Void"].contains(type.trimmedDescription) else {
      return true
    }
    let given = attribute.representation?.returnClause.type
    guard checkRepresentable(given ?? type, at: type) else { return false }
    var spelled = text((given ?? type).optionalSugar)
    if given != nil, type.isOptional, !isOptionalSpelling(spelled) { spelled += "?" }
    if attribute.representation == nil { shape.storedResult = storedType(type, spelled, at: type) }
    shape.result = shape.storedResult == nil ? spelled : "Result"
    shape.resultType = text(type.optionalSugar)
    return true
  }

  /// The probe for a type. `nil` in a generic type, which cannot have stored static properties.
  private func storedType(
    _ type: TypeSyntax, _ text: String, at node: some SyntaxProtocol
  ) -> StoredType? {
    let isGeneric = context.lexicalContext.contains {
      $0.is(ExtensionDeclSyntax.self)
        || $0.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
    }
    return isGeneric ? nil : StoredType(type, text, isAlone: false, at: node, in: context)
  }

  /// The type's source text with `Self` spelled out.
  func text(_ type: TypeSyntax) -> String { type.text(selfName: typeName ?? "Self") }

  /// The innermost enclosing type.
  var typeName: String? {
    context.lexicalContext.lazy.compactMap { syntax -> String? in
      if let type = syntax.as(ExtensionDeclSyntax.self) {
        return type.extendedType.trimmedDescription
      }
      return syntax.asProtocol((any NamedDeclSyntax).self).flatMap {
        syntax.asProtocol((any DeclGroupSyntax).self) == nil ? nil : $0.name.trimmedDescription
      }
    }.first
  }
}

/// The name of a variable. A keyword is allowed as a parameter name, but needs backticks as a
/// variable.
private func variableName(_ token: TokenSyntax) -> String {
  let name = token.trimmedDescription
  return name == "_" || name.hasPrefix("`") || name.isValidSwiftIdentifier(for: .variableName)
    ? name : "`\(name)`"
}

/// The type `T` of `some Sequence<T>`.
private func sequenceElement(_ type: some TypeSyntaxProtocol) -> TypeSyntax? {
  guard let opaque = type.as(SomeOrAnyTypeSyntax.self),
    opaque.someOrAnySpecifier.tokenKind == .keyword(.some)
  else { return nil }
  let generic =
    opaque.constraint.as(IdentifierTypeSyntax.self).flatMap {
      $0.name.text == "Sequence" ? $0.genericArgumentClause : nil
    }
    ?? opaque.constraint.as(MemberTypeSyntax.self).flatMap {
      $0.trimmedDescription.hasPrefix("Swift.Sequence") ? $0.genericArgumentClause : nil
    }
  return generic?.arguments.first?.argument.as(TypeSyntax.self)
}
