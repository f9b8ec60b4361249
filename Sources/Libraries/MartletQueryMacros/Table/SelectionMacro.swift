import SwiftSyntax
import SwiftSyntaxMacros

/// `@Selection`: a table without a key or a draft, for the rows of a query. Next to `@Table` it
/// adds nothing.
enum SelectionMacro: ExtensionMacro, MemberMacro {
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) -> [ExtensionDeclSyntax] {
    if declaration.attributes.named("Table") != nil { return [] }
    return TableMacro.extensions(
      node, declaration, type, conformingTo: protocols, hasKey: false, in: context)
  }

  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    declaration.attributes.named("Table") == nil
      ? NestedTypes.member(of: declaration, macro: node, in: context) : []
  }
}
