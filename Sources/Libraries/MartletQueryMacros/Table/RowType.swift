import SwiftSyntax
import SwiftSyntaxMacros

/// A parsed struct or enum with `@Table` or `@Selection`: its columns and the form of its
/// extension.
struct RowType {
  /// The name of the type at the extension, such as `Reminder` or `Outer.Reminder`.
  private(set) var type: String
  let access: Access
  /// Whether the type is generic. A generic type cannot have stored static properties.
  let isGeneric: Bool
  let isFullText: Bool
  let isEnum: Bool
  private(set) var properties: [TableProperty]
  private(set) var key: TableProperty?

  /// Returns `nil` after reporting an error. `spelledInside` uses the types as they are spelled in
  /// the struct.
  init?(
    _ declaration: some DeclGroupSyntax, type: some TypeSyntaxProtocol, macro: AttributeSyntax,
    hasKey: Bool = true, reserved: Set<String>, spelledInside: Bool = false,
    in context: some MacroExpansionContext
  ) {
    let macroName = macro.attributeName.trimmedDescription
    guard let declaration = NominalSyntax(declaration) else {
      context.report(.onlyRows(macro: macroName, kind: kindName(of: declaration)), at: macro)
      return nil
    }
    isEnum = declaration.isEnum
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
    let own = Access(declaration.modifiers) ?? enclosing.flatMap { Access($0.modifiers) } ?? .module
    access = context.lexicalContext.reduce(own) { access, node in
      // A nested type is at most as visible as the enclosing one.
      guard let type = node.asProtocol((any DeclGroupSyntax).self),
        !type.is(ExtensionDeclSyntax.self)
      else { return access }
      return min(access, Access(type.modifiers) ?? .module)
    }
    isGeneric =
      declaration.isGeneric
      || context.lexicalContext.contains {
        $0.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
      }
    let inherited = declaration.inheritance?.inheritedTypes ?? []
    isFullText = inherited.contains {
      ["FTS5", "MartletQueryBuilder.FTS5"].contains($0.type.trimmedDescription)
    }

    var reader = PropertyReader(context: context, selfName: self.type)
    reader.read(declaration.members)
    if reader.properties.isEmpty, !reader.failed {
      reader.report(.noColumns(macro: macroName), at: declaration.name)
    }
    for output in declaration.members.compactMap(ownOutput) where output.type != self.type {
      reader.report(.otherOutput(output.type), at: output.node)
    }
    var columns: Set<String> = []
    for property in reader.properties {
      if !columns.insert(property.column).inserted {
        reader.report(.duplicateColumn(property.column), at: property.node)
      }
    }
    let marked = reader.properties.filter { $0.isMarkedKey == true }
    if marked.count > 1 { reader.report(.severalKeys, at: marked[1].node) }
    let usual = isFullText ? ["id", "rowid"] : ["id"]
    let key =
      !hasKey || isEnum
      ? nil
      : marked.first
        ?? usual.lazy.compactMap { name in
          reader.properties.first {
            $0.plainName == name && $0.isMarkedKey == nil && !$0.isGenerated
          }
        }.first
    for property in reader.properties where reserved.contains(property.plainName) {
      // The key itself can be named `primaryKey`.
      if property.plainName == "primaryKey", property.name == key?.name { continue }
      reader.reportReserved(property)
    }
    guard !reader.failed else { return nil }
    let isNested = NestedTypes.isNested(in: context)
    let isGeneric = isGeneric
    func spelled(_ property: TableProperty) -> TableProperty {
      var property = property
      // A generic type cannot have stored static properties.
      if isGeneric { property.stored = nil }
      if spelledInside { return property }
      return isNested ? property.throughColumnTypes : property.throughStored
    }
    properties = reader.properties.map(spelled)
    self.key = key.map(spelled)
  }

  /// The draft: the key and lazy columns are optional, and generated columns are omitted.
  var draft: RowType {
    var draft = self
    draft.type += ".Draft"
    draft.properties = properties.filter { !$0.isGenerated }.map {
      (isKey($0) || $0.isLazy) && !$0.isOptional ? $0.optional : $0
    }
    draft.key = key.flatMap { key in draft.properties.first { $0.name == key.name } }
    return draft
  }

  func isKey(_ property: TableProperty) -> Bool { property.name == key?.name }

  /// Whether there is a draft: SQLite can fill in the key or a lazy column.
  var hasDraft: Bool { key != nil || properties.contains(where: \.isLazy) }

  /// The access level of members that refer to all columns: the lowest of the type and its columns.
  var memberwiseAccess: String {
    properties.map(\.access).reduce(access, min).prefix
  }
}

/// The common syntax of a struct and an enum.
struct NominalSyntax {
  let name: TokenSyntax
  let modifiers: DeclModifierListSyntax
  let isGeneric: Bool
  let inheritance: InheritanceClauseSyntax?
  let members: MemberBlockItemListSyntax
  let isEnum: Bool

  init?(_ declaration: some DeclGroupSyntax) {
    let generics: GenericParameterClauseSyntax?
    if let type = declaration.as(StructDeclSyntax.self) {
      (name, generics, isEnum) = (type.name, type.genericParameterClause, false)
    } else if let type = declaration.as(EnumDeclSyntax.self) {
      (name, generics, isEnum) = (type.name, type.genericParameterClause, true)
    } else {
      return nil
    }
    isGeneric = generics != nil
    modifiers = declaration.modifiers
    inheritance = declaration.inheritanceClause
    members = declaration.memberBlock.members
  }
}

/// The extension. It is `nonisolated` so that tables work in modules whose default isolation is the
/// main actor.
func extensionDeclaration(
  of type: String, _ conformances: [String], _ members: [[String]]
) -> ExtensionDeclSyntax {
  let body = members.joined().map { "  \($0)\n" }.joined()
  let protocols = conformances.map { "MartletQueryBuilder.\($0)" }.joined(separator: ", ")
  let clause = protocols.isEmpty ? "" : ": \(protocols)"
  let text: DeclSyntax = "nonisolated extension \(raw: type)\(raw: clause) {\n\(raw: body)}"
  return text.cast(ExtensionDeclSyntax.self)
}

/// A declaration with braces: `struct Columns: … {`, its indented lines, and `}`.
func block(_ head: String, _ lines: [String]) -> [String] {
  ["\(head) {"] + lines.map { "  " + $0 } + ["}"]
}

/// A call with parentheses: its arguments on separate lines, separated by commas.
func list(_ head: String, _ items: [String], _ end: String = ")") -> [String] {
  let last = items.count - 1
  return [head + "("]
    + items.enumerated().map { "  " + $1 + ($0 == last ? "" : ",") } + [end]
}

private func kindName(of declaration: some DeclGroupSyntax) -> String {
  switch declaration.kind {
  case .classDecl: "a class"
  case .actorDecl: "an actor"
  case .protocolDecl: "a protocol"
  default: "an extension"
  }
}
