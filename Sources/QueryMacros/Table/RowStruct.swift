import SwiftSyntax
import SwiftSyntaxMacros

/// A struct under `@Table` or `@Selection`: its columns, and how its extension is to be written.
struct RowStruct {
  /// How the type is called where the extension stands: `Reminder`, `Outer.Reminder`.
  let type: String
  let access: Access
  /// A static property of a generic type cannot be stored.
  let isGeneric: Bool
  let isFullText: Bool
  let properties: [TableProperty]
  let key: TableProperty?

  /// `nil` when something was wrong, after saying so. `spelledInside` the struct, types need no detour.
  init?(
    _ declaration: some DeclGroupSyntax, type: some TypeSyntaxProtocol, macro: AttributeSyntax,
    reserved: Set<String>, spelledInside: Bool = false, in context: some MacroExpansionContext
  ) {
    let macroName = macro.attributeName.trimmedDescription
    guard let declaration = declaration.as(StructDeclSyntax.self) else {
      context.report(
        .onlyStructs(macro: macroName, kind: kindName(of: declaration)), at: macro)
      return nil
    }
    self.type = type.trimmedDescription
    if !context.lexicalContext.isEmpty,
      let modifier = declaration.modifiers.first(where: {
        $0.name.tokenKind == .keyword(.private)
      })
    {
      let name = modifier.name.with(\.tokenKind, .keyword(.fileprivate))
      context.report(
        .privateNested, at: modifier,
        fixIts: [Fix.makeFilePrivate.replacing(modifier.name, with: name)])
      return nil
    }
    let enclosing = context.lexicalContext.compactMap { $0.as(ExtensionDeclSyntax.self) }.first
    access =
      Access(declaration.modifiers) ?? enclosing.flatMap { Access($0.modifiers) } ?? .module
    isGeneric =
      declaration.genericParameterClause != nil
      || context.lexicalContext.contains {
        $0.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
      }
    let inherited = declaration.inheritanceClause?.inheritedTypes ?? []
    isFullText = inherited.contains {
      ["FTS5", "QueryBuilder.FTS5"].contains($0.type.trimmedDescription)
    }

    var reader = PropertyReader(context: context, selfName: self.type)
    reader.read(declaration.memberBlock.members)
    if reader.properties.isEmpty, !reader.failed {
      reader.report(.noColumns(macro: macroName), at: declaration.name)
    }
    var columns: Set<String> = []
    for property in reader.properties {
      if !columns.insert(property.column).inserted {
        reader.report(.duplicateColumn(property.column), at: property.syntax.pattern)
      }
    }
    let marked = reader.properties.filter { $0.isMarkedKey == true }
    if marked.count > 1 { reader.report(.severalKeys, at: marked[1].syntax.pattern) }
    let usual = isFullText ? ["id", "rowid"] : ["id"]
    let key =
      marked.first
      ?? usual.lazy.compactMap { name in
        reader.properties.first {
          $0.plainName == name && $0.isMarkedKey == nil && !$0.isGenerated
        }
      }.first
    for property in reader.properties where reserved.contains(property.plainName) {
      // The key itself may well be called `primaryKey`.
      if property.plainName == "primaryKey", property.name == key?.name { continue }
      reader.reportReserved(property)
    }
    guard !reader.failed else { return nil }
    let isOutside = NestedTypes.isNested(in: context) && !spelledInside
    properties = isOutside ? reader.properties.map(\.throughColumnTypes) : reader.properties
    self.key = isOutside ? key?.throughColumnTypes : key
  }

  func isKey(_ property: TableProperty) -> Bool { property.name == key?.name }

  /// What may not be seen further than the type or any of its columns.
  var memberwiseAccess: String {
    properties.map(\.access).reduce(access, min).prefix
  }
}

/// `nonisolated`, so that a table may be used anywhere in a module whose default is the main actor.
func extensionDeclaration(
  of type: String, _ conformances: [String], _ members: [[String]]
) -> ExtensionDeclSyntax {
  let body = members.joined().map { "  \($0)\n" }.joined()
  let protocols = conformances.map { "QueryBuilder.\($0)" }.joined(separator: ", ")
  let clause = protocols.isEmpty ? "" : ": \(protocols)"
  let text: DeclSyntax = "nonisolated extension \(raw: type)\(raw: clause) {\n\(raw: body)}"
  return text.cast(ExtensionDeclSyntax.self)
}

/// `struct Columns: … {`, its lines, `}`.
func block(_ head: String, _ lines: [String]) -> [String] {
  ["\(head) {"] + lines.map { "  " + $0 } + ["}"]
}

/// The same with parentheses and commas.
func list(_ head: String, _ items: [String], _ end: String = ")") -> [String] {
  let last = items.count - 1
  return [head + "("]
    + items.enumerated().map { "  " + $1 + ($0 == last ? "" : ",") } + [end]
}

private func kindName(of declaration: some DeclGroupSyntax) -> String {
  switch declaration.kind {
  case .enumDecl: "an enum"
  case .classDecl: "a class"
  case .actorDecl: "an actor"
  case .protocolDecl: "a protocol"
  default: "an extension"
  }
}
