import SwiftSyntax
import SwiftSyntaxMacros

/// `@Selection`: one extension that makes the struct a row that a query can select into. A table is one
/// already: beside `@Table` it only repeats the conformance, which the compiler expects of it.
enum SelectionMacro: ExtensionMacro, MemberMacro {
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) -> [ExtensionDeclSyntax] {
    let isMissing = protocols.contains { lastWord($0.trimmedDescription) == "Selection" }
    let conformances = isMissing ? ["Selection"] : []
    if declaration.attributes.named("Table") != nil {
      return [extensionDeclaration(of: type.trimmedDescription, conformances, [])]
    }
    guard
      let row = RowStruct(
        declaration, type: type, macro: node, reserved: ["columns"], in: context)
    else { return [] }
    let rows = RowWriter(row: row)
    return [
      extensionDeclaration(
        of: row.type, conformances,
        [
          ColumnsWriter(row: row).columns(insertable: false), rows.columnCount, rows.resultColumns,
          rows.decoding,
          rows.columns,
        ])
    ]
  }

  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    declaration.attributes.named("Table") == nil
      ? NestedTypes.member(of: declaration, macro: node, in: context) : []
  }
}
