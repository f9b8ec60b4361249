import MartletNaming
import SwiftSyntax
import SwiftSyntaxMacros

/// `@Table`: writes one extension that conforms to `Table`, and to `PrimaryKeyedTable` if there is
/// a key.
enum TableMacro: ExtensionMacro, MemberMacro {
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) -> [ExtensionDeclSyntax] {
    extensions(node, declaration, type, conformingTo: protocols, hasKey: true, in: context)
  }

  static func extensions(
    _ node: AttributeSyntax, _ declaration: some DeclGroupSyntax, _ type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax], hasKey: Bool, in context: some MacroExpansionContext
  ) -> [ExtensionDeclSyntax] {
    var tableName: String?
    var schemaName: String?
    for argument in node.arguments?.as(LabeledExprListSyntax.self) ?? [] {
      guard let name = nameLiteral(argument.expression, in: context) else { return [] }
      if argument.label == nil { tableName = name } else { schemaName = name }
    }
    guard
      let row = RowType(
        declaration, type: type, macro: node, hasKey: hasKey,
        reserved: ["columns", "assignments", "qualifier", "primaryKey"], in: context)
    else { return [] }

    // The compiler passes the missing conformances only: the type can itself declare `: FTS5`.
    let missing = Set(protocols.map(\.trimmedDescription).map(lastWord))
    let wanted =
      ["Table"] + (row.key == nil ? [] : ["PrimaryKeyedTable"])
      + (row.isEnum ? ["EnumTable"] : [])
    let access = row.access.prefix
    let name = tableName ?? "\"\(defaultName(declaration))\""
    var members = [["\(access)static var tableName: Swift.String { \(name) }"]]
    if let schemaName {
      members.append(["\(access)static var schemaName: Swift.String? { \(schemaName) }"])
    }
    if !NestedTypes.isNested(in: context) { members.append(row.columnTypes) }
    members.append(ColumnsWriter(row: row).tableColumns)
    if row.isEnum {
      let cases = EnumWriter(row: row)
      members += [cases.columns, cases.decoding, cases.values]
    } else {
      members.append(ColumnsWriter(row: row).columns)
      if row.hasDraft { members.append(DraftWriter(row: row).draft) }
      let rows = RowWriter(row: row)
      members += [rows.decoding, rows.columns, rows.assignments]
    }
    members.append(["\(access)typealias Selection = Columns"])
    return [extensionDeclaration(of: row.type, wanted.filter(missing.contains), members)]
  }

  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    NestedTypes.member(of: declaration, macro: node, in: context)
  }

  private static func defaultName(_ declaration: some DeclGroupSyntax) -> String {
    let token = NominalSyntax(declaration)?.name
    return tableName(for: token?.identifier?.name ?? "")
  }
}

/// The last component of a name: `Table` of `MartletQueryBuilder.Table`.
func lastWord(_ type: String) -> String {
  type.split(separator: ".").last.map(String.init) ?? type
}
