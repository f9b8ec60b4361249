import SwiftDiagnostics
import SwiftSyntax

extension VariableDeclSyntax {
  /// Whether it declares an instance property with at least one binding that is not computed.
  var mayBeStored: Bool {
    let isStatic = modifiers.contains {
      $0.name.tokenKind == .keyword(.static) || $0.name.tokenKind == .keyword(.class)
    }
    return !isStatic && bindings.contains { !$0.isComputed }
  }

  var isEphemeral: Bool { attribute("Ephemeral") != nil }

  /// The attribute with this name, with or without the module's name in front of it.
  func attribute(_ name: String) -> AttributeSyntax? { attributes.named(name) }

  /// A capitalized attribute that is not one of this package's. A macro cannot see its declaration.
  var propertyWrapper: AttributeSyntax? {
    attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }.first {
      let name = $0.attributeName.trimmedDescription.split(separator: ".").last ?? ""
      return name.first?.isUppercase == true
        && !["Column", "Columns", "Ephemeral", "MainActor"].contains(name)
    }
  }

  var variable: TokenSyntax { bindingSpecifier.with(\.tokenKind, .keyword(.var)) }
  var constant: TokenSyntax { bindingSpecifier.with(\.tokenKind, .keyword(.let)) }

  var makingEphemeral: FixIt { adding("@Ephemeral", .addEphemeral) }

  /// A fix-it that inserts an attribute in front of the declaration.
  func adding(
    _ attribute: String, _ fix: Fix, replacing old: VariableDeclSyntax? = nil
  ) -> FixIt {
    let attribute = AttributeSyntax("\(raw: attribute)")
      .with(\.leadingTrivia, leadingTrivia).with(\.trailingTrivia, .space)
    let declaration = with(\.leadingTrivia, [])
    return fix.replacing(
      old ?? self,
      with: declaration.with(\.attributes, [.attribute(attribute)] + declaration.attributes))
  }
}

extension AttributeListSyntax {
  /// `@Column`, or `@Columns`, which can mark a group of columns.
  var column: AttributeSyntax? { named("Column") ?? named("Columns") }

  func named(_ name: String) -> AttributeSyntax? {
    for case .attribute(let attribute) in self {
      let written = attribute.attributeName.trimmedDescription
      if written == name || written == "MartletQueryBuilder.\(name)" { return attribute }
    }
    return nil
  }
}

extension PatternBindingSyntax {
  /// Whether it has a getter. A property with observers (`willSet`, `didSet`) is stored.
  var isComputed: Bool {
    guard let block = accessorBlock else { return false }
    guard case .accessors(let accessors) = block.accessors else { return true }
    return !accessors.allSatisfy {
      [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
    }
  }
}

extension TypeSyntax {
  private var optionalArgument: TypeSyntax? {
    if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType }
    if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return optional.wrappedType
    }
    let generic =
      self.as(IdentifierTypeSyntax.self).flatMap {
        $0.name.text == "Optional" ? $0.genericArgumentClause : nil
      }
      ?? self.as(MemberTypeSyntax.self).flatMap {
        $0.name.text == "Optional" && $0.baseType.trimmedDescription == "Swift"
          ? $0.genericArgumentClause : nil
      }
    return generic?.arguments.first?.argument.as(TypeSyntax.self)
  }

  var isOptional: Bool { optionalArgument != nil }

  /// `Int?` for `Optional<Int>` and `Int!`.
  var optionalSugar: TypeSyntax {
    guard let wrapped = optionalArgument else { return self }
    return "\(raw: wrapped.trimmedDescription)?"
  }

  /// The type if it can only be stored as JSON: an array except of bytes, a dictionary or a set.
  var onlyAsJSON: String? {
    let type = optionalArgument ?? self
    let text = type.trimmedDescription
    if let array = type.as(ArrayTypeSyntax.self) {
      let element = array.element.trimmedDescription
      return element == "UInt8" || element == "Swift.UInt8" ? nil : text
    }
    if type.is(DictionaryTypeSyntax.self) { return text }
    let name = type.as(IdentifierTypeSyntax.self)
    guard let generic = name?.genericArgumentClause else { return nil }
    if name?.name.text == "Array" {
      return generic.arguments.trimmedDescription == "UInt8" ? nil : text
    }
    return ["Set", "Dictionary"].contains(name?.name.text) ? text : nil
  }
}

/// Whether the spelling is optional: `Date.UnixTimeRepresentation?`,
/// `Date?.UnixTimeRepresentation`, `Optional<…>`.
func isOptionalSpelling(_ type: String) -> Bool {
  type.hasSuffix("?") || type.contains("?.") || type.hasPrefix("Optional<")
    || type.hasPrefix("Swift.Optional<")
}

extension SyntaxProtocol {
  /// The source text with `Self` spelled out.
  func text(selfName: String) -> String {
    SelfRewriter(name: selfName).rewrite(trimmed).trimmedDescription
  }
}

private final class SelfRewriter: SyntaxRewriter {
  let name: String
  init(name: String) { self.name = name }

  override func visit(_ token: TokenSyntax) -> TokenSyntax {
    token.tokenKind == .keyword(.Self) ? token.with(\.tokenKind, .identifier(name)) : token
  }
}

/// The member `queryOutput` or `init(queryOutput:)` of a row, if its type is not `Self`.
func ownOutput(_ member: MemberBlockItemSyntax) -> (type: String, node: Syntax)? {
  var (type, node): (TypeSyntax?, Syntax?)
  if let variable = member.decl.as(VariableDeclSyntax.self), let binding = variable.bindings.first,
    binding.pattern.trimmedDescription == "queryOutput"
  {
    (type, node) = (binding.typeAnnotation?.type, Syntax(binding.pattern))
  }
  if let initializer = member.decl.as(InitializerDeclSyntax.self),
    let parameter = initializer.signature.parameterClause.parameters.first,
    parameter.firstName.text == "queryOutput"
  {
    (type, node) = (parameter.type, Syntax(parameter.firstName))
  }
  guard let type, let node, type.trimmedDescription != "Self" else { return nil }
  return (type.trimmedDescription, node)
}
