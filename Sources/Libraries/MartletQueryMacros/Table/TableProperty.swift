import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// A parsed stored property or enum case, as the Swift text that the writers need.
struct TableProperty {
  /// The name as written, including backticks.
  let name: String
  /// The name as an argument label. Most keywords need no backticks there, and the compiler warns
  /// about them.
  var label: String {
    let needsBackticks =
      ["inout", "let", "var"].contains(plainName)
      || !plainName.allSatisfy { $0 == "_" || $0.isLetter || $0.isNumber }
    return needsBackticks ? name : plainName
  }
  /// The column's name as a Swift string literal.
  let column: String
  var type: String
  /// The representation, such as `Date.UnixTimeRepresentation?`.
  var representation: String
  var isOptional: Bool
  var defaultValue: String?
  let access: Access
  let generated: ColumnAttribute.Generated?
  /// The argument `primaryKey:` of `@Column`, if given.
  let isMarkedKey: Bool?
  /// Whether a draft can omit it, by `lazyInitializable:` of `@Column`.
  let isLazy: Bool
  /// The associated value of an enum case.
  struct Payload {
    var representation: String
    let label: String?
  }
  var payload: Payload?
  /// The probe for a type whose spelling does not determine its representation.
  var stored: StoredType?
  /// The source location, if `@Column(as:)` names the representation, which can be the wrong one.
  var place: SourcePlace?
  /// The declaration: a binding of a property, or a case.
  let node: Syntax

  /// The same property as an optional, for a draft.
  var optional: TableProperty {
    var copy = self
    copy.type += "?"
    copy.representation += "?"
    copy.isOptional = true
    copy.defaultValue = nil
    return copy
  }

  var isGenerated: Bool { generated != nil }
  var plainName: String { name.filter { $0 != "`" } }
}

/// Collects the columns of a declaration. Every error is reported at its own location.
struct PropertyReader<Context: MacroExpansionContext> {
  let context: Context
  /// The name in place of `Self`, which would mean another type in the types nested by the macro.
  let selfName: String
  var properties: [TableProperty] = []
  var failed = false

  init(context: Context, selfName: String) {
    self.context = context
    self.selfName = selfName
  }

  mutating func read(_ members: MemberBlockItemListSyntax) {
    for member in members {
      if let variable = member.decl.as(VariableDeclSyntax.self) {
        read(variable)
      } else if let cases = member.decl.as(EnumCaseDeclSyntax.self) {
        read(cases)
      } else if let condition = member.decl.as(IfConfigDeclSyntax.self), holdsColumns(condition) {
        report(.conditionalColumns, at: condition.clauses.first?.poundKeyword ?? .poundToken())
      }
    }
  }

  private mutating func read(_ variable: VariableDeclSyntax) {
    guard variable.mayBeStored, !variable.isEphemeral else {
      if variable.isEphemeral { checkEphemeral(variable) }
      return
    }
    guard let attribute = columnAttribute(of: variable) else { return }
    // In `var a, b: Int` the type of a binding can follow a later one.
    var type: TypeSyntax?
    var read: [TableProperty] = []
    for binding in variable.bindings.reversed() where !binding.isComputed {
      type = binding.typeAnnotation?.type ?? (binding.initializer == nil ? type : nil)
      if let property = property(binding, type, in: variable, attribute) { read.append(property) }
    }
    properties += read.reversed()
  }

  /// Returns `nil` after reporting an error.
  private mutating func columnAttribute(of variable: VariableDeclSyntax) -> ColumnAttribute? {
    let first = variable.bindings.first?.pattern.trimmedDescription ?? ""
    if let lazy = variable.modifiers.first(where: { $0.name.tokenKind == .keyword(.lazy) }) {
      report(.lazyColumn(first), at: lazy, fixIts: [variable.makingEphemeral])
      return nil
    }
    if let wrapper = variable.propertyWrapper {
      let attribute = wrapper.attributeName.trimmedDescription
      report(
        .wrappedColumn(first, attribute: attribute), at: wrapper,
        fixIts: [variable.makingEphemeral])
      return nil
    }
    guard let column = variable.attributes.column else { return ColumnAttribute() }
    let attribute = ColumnAttribute(column, in: context)
    if attribute == nil { failed = true }
    return attribute
  }

  private mutating func property(
    _ binding: PatternBindingSyntax, _ annotated: TypeSyntax?, in variable: VariableDeclSyntax,
    _ attribute: ColumnAttribute
  ) -> TableProperty? {
    guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
      report(.tuplePattern, at: binding.pattern)
      return nil
    }
    let name = pattern.identifier.trimmedDescription
    let isConstant = variable.bindingSpecifier.tokenKind == .keyword(.let)
    if isConstant, binding.initializer != nil {
      report(
        .initializedConstant(name), at: variable.bindingSpecifier,
        fixIts: [Fix.makeVariable.replacing(variable.bindingSpecifier, with: variable.variable)])
      return nil
    }
    if attribute.generated != nil {
      if !isConstant {
        report(
          .generatedNotConstant(name), at: variable.bindingSpecifier,
          fixIts: [Fix.makeConstant.replacing(variable.bindingSpecifier, with: variable.constant)])
        return nil
      }
      if attribute.isPrimaryKey == true {
        report(.generatedKey(name), at: pattern)
        return nil
      }
    }
    let given = attribute.representation
    let placeholder = TypeAnnotationSyntax(
      colon: .colonToken(trailingTrivia: .space), type: "<#Type#>" as TypeSyntax)
    guard
      let type = annotated ?? binding.initializer.flatMap({ inferredType(of: $0.value) })
        ?? given.map({ "\(raw: $0).QueryOutput" })
    else {
      report(
        .typeNeeded(name), at: pattern,
        fixIts: [
          Fix.addType.replacing(
            binding,
            with: binding.with(\.pattern, binding.pattern.trimmed)
              .with(\.typeAnnotation, placeholder)
              .with(\.initializer, binding.initializer?.with(\.leadingTrivia, .space)))
        ])
      return nil
    }
    if given == nil, let json = type.onlyAsJSON {
      report(
        .notRepresentable(type: type.trimmedDescription), at: annotated ?? TypeSyntax(type),
        or: pattern,
        fixIts: [
          variable.adding("@Column(as: \(json).JSONRepresentation.self)", .storeAsJSON(json))
        ])
      return nil
    }
    let isOptional = type.isOptional
    let text = type.optionalSugar.text(selfName: selfName)
    var representation = given.map { "\(raw: $0)" as TypeSyntax }?.text(selfName: selfName) ?? text
    if given != nil, isOptional, !isOptionalSpelling(representation) { representation += "?" }
    return TableProperty(
      name: name, column: attribute.name ?? "\"\(name.filter { $0 != "`" })\"", type: text,
      representation: representation, isOptional: isOptional,
      defaultValue: binding.initializer?.value.text(selfName: selfName),
      access: Access(variable.modifiers) ?? .module, generated: attribute.generated,
      isMarkedKey: attribute.isPrimaryKey, isLazy: isLazy(attribute, name, isOptional, variable),
      stored: given != nil
        ? nil
        : StoredType(
          type, text, isAlone: attribute.name != nil || attribute.generated != nil,
          at: binding.pattern, in: context),
      place: given.map { _ in SourcePlace(of: binding.pattern, in: context) },
      node: Syntax(binding.pattern))
  }

  private func isLazy(
    _ attribute: ColumnAttribute, _ name: String, _ isOptional: Bool, _ variable: VariableDeclSyntax
  ) -> Bool {
    guard let isLazy = attribute.isLazy else { return false }
    if isOptional, let argument = attribute.lazyArgument {
      context.report(.lazyOptional(name), at: argument)
    }
    return isLazy && !isOptional
  }

  private mutating func checkEphemeral(_ variable: VariableDeclSyntax) {
    for binding in variable.bindings where binding.initializer == nil && !binding.isComputed {
      // An optional variable is `nil` by default.
      if variable.bindingSpecifier.tokenKind == .keyword(.var),
        binding.typeAnnotation?.type.isOptional == true || variable.propertyWrapper != nil
      {
        continue
      }
      let name = binding.pattern.trimmedDescription
      let value = InitializerClauseSyntax(
        equal: .equalToken(leadingTrivia: .space, trailingTrivia: .space),
        value: "<#value#>" as ExprSyntax)
      report(
        .ephemeralWithoutDefault(name), at: binding.pattern,
        fixIts: [
          Fix.addDefault.replacing(
            binding,
            with: binding.with(\.typeAnnotation, binding.typeAnnotation?.trimmed)
              .with(\.initializer, value))
        ])
    }
  }

  private func holdsColumns(_ condition: IfConfigDeclSyntax) -> Bool {
    condition.clauses.contains { clause in
      guard case .decls(let members)? = clause.elements else { return false }
      return members.contains { member in
        if let nested = member.decl.as(IfConfigDeclSyntax.self) { return holdsColumns(nested) }
        if member.decl.is(EnumCaseDeclSyntax.self) { return true }
        guard let variable = member.decl.as(VariableDeclSyntax.self) else { return false }
        return variable.mayBeStored && !variable.isEphemeral
      }
    }
  }

  mutating func reportReserved(_ property: TableProperty) {
    let name = property.plainName
    let pattern = property.node
    guard let variable = pattern.parent?.parent?.parent?.as(VariableDeclSyntax.self),
      variable.bindings.count == 1, variable.attributes.column == nil
    else { return report(.reservedName(name), at: pattern) }
    let renamed = variable.with(
      \.bindings[variable.bindings.startIndex].pattern, "<#name#>" as PatternSyntax)
    report(
      .reservedName(name), at: pattern,
      fixIts: [renamed.adding("@Column(\"\(name)\")", .rename(column: name), replacing: variable)])
  }

  mutating func report(
    _ problem: Problem, at node: some SyntaxProtocol,
    or other: (some SyntaxProtocol)? = Syntax?.none,
    fixIts: [FixIt] = []
  ) {
    failed = true
    // A node created by the macro has no location in the source file.
    if let other, node.root.id != other.root.id {
      context.report(problem, at: other, fixIts: fixIts)
    } else {
      context.report(problem, at: node, fixIts: fixIts)
    }
  }
}
