import SwiftSyntax
import SwiftSyntaxMacros

/// `@Column` and `@Columns` generate no code; `@Table` and `@Selection` read them. They report
/// declarations that they cannot be applied to.
enum ColumnMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    if declaration.is(EnumCaseDeclSyntax.self) { return [] }
    guard let variable = declaration.as(VariableDeclSyntax.self), variable.mayBeStored else {
      context.report(.notStored(macro: node.attributeName.trimmedDescription), at: node)
      return []
    }
    if variable.attribute("Ephemeral") != nil { context.report(.columnAndEphemeral, at: node) }
    return []
  }
}

/// `@Ephemeral` generates no code; `@Table` and `@Selection` skip the property.
enum EphemeralMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    if declaration.as(VariableDeclSyntax.self)?.mayBeStored != true {
      context.report(.notStored(macro: "Ephemeral"), at: node)
    }
    return []
  }
}

/// The arguments of a `@Column(…)`.
struct ColumnAttribute {
  enum Generated: String { case stored, virtual }

  /// The column's name as a Swift string literal, including the quotes.
  var name: String?
  var representation: String?
  var isPrimaryKey: Bool?
  var generated: Generated?
  var isLazy: Bool?
  var lazyArgument: LabeledExprSyntax?

  init() {}

  /// Reports an invalid argument and returns `nil`.
  init?(_ attribute: AttributeSyntax, in context: some MacroExpansionContext) {
    guard let arguments = attribute.arguments?.as(LabeledExprListSyntax.self) else { return }
    for argument in arguments {
      let value = argument.expression
      switch argument.label?.text {
      case nil:
        guard let name = nameLiteral(value, in: context) else { return nil }
        self.name = name
      case "as":
        guard let type = metatypeBase(value) else {
          context.report(.metatypeNeeded, at: value)
          return nil
        }
        representation = type.trimmedDescription
      case "primaryKey":
        guard let flag = context.boolean(value) else { return nil }
        isPrimaryKey = flag
      case "lazyInitializable":
        guard let flag = context.boolean(value) else { return nil }
        isLazy = flag
        lazyArgument = argument
      case "generated":
        guard !value.is(NilLiteralExprSyntax.self) else { continue }
        let word = value.as(MemberAccessExprSyntax.self)?.declName.baseName.text
        guard let generated = word.flatMap(Generated.init) else {
          context.report(.generatedNeeded, at: value)
          return nil
        }
        self.generated = generated
      default: continue  // The compiler has reported it already.
      }
    }
  }
}

/// The source text of a name argument. It must be a literal, because a macro cannot evaluate
/// expressions.
func nameLiteral(_ value: ExprSyntax, in context: some MacroExpansionContext) -> String? {
  if let literal = value.as(StringLiteralExprSyntax.self),
    literal.representedLiteralValue?.isEmpty == false
  {
    return literal.trimmedDescription
  }
  context.report(.emptyName, at: value)
  return nil
}

/// The expression `Foo` of `Foo.self`.
func metatypeBase(_ value: ExprSyntax) -> ExprSyntax? {
  guard let access = value.as(MemberAccessExprSyntax.self),
    access.declName.baseName.tokenKind == .keyword(.self)
  else { return nil }
  return access.base
}
