import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// `ColumnTypes`: the columns' types, spelled inside the struct.
///
/// `extension Outer.Row` does not see the types of `Outer` by their short names, the struct's own body
/// does. So a struct inside another type gets this enum as a member, and its extension speaks of
/// `ColumnTypes.status` where it would say `Status`.
struct NestedTypes {
  let row: RowType

  /// `nil` for a struct that stands by itself, and for one about which the extension has to complain.
  static func member(
    of declaration: some DeclGroupSyntax, macro: AttributeSyntax,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    guard isNested(in: context), let name = NominalSyntax(declaration)?.name else {
      return []
    }
    let row = RowType(
      declaration, type: TypeSyntax(IdentifierTypeSyntax(name: name.trimmed)), macro: macro,
      reserved: [], spelledInside: true, in: SilentContext(context))
    guard let row else { return [] }
    return ["\(raw: NestedTypes(row: row).lines.joined(separator: "\n"))"]
  }

  static func isNested(in context: some MacroExpansionContext) -> Bool {
    context.lexicalContext.contains { $0.asProtocol((any DeclGroupSyntax).self) != nil }
  }

  private var lines: [String] {
    let aliases = row.properties.enumerated().flatMap { number, property in
      let access = min(row.access, property.access).prefix
      let alias =
        "\(access)typealias \(property.name) = "
        + (property.payload?.representation ?? property.representation)
      return property.stored?.lines(property.name, number, access) ?? [alias]
    }
    let defaults = row.properties.compactMap { property in
      property.defaultValue.map {
        """
        \(min(row.access, property.access).prefix)static var \(property.name): \(property.type) \
        { \($0) }
        """
      }
    }
    let access = row.access.prefix
    return block(
      "\(access)nonisolated enum ColumnTypes",
      aliases + (defaults.isEmpty ? [] : block("\(access)enum Defaults", defaults)))
  }
}

extension TableProperty {
  /// The same property as the extension speaks of it.
  var throughColumnTypes: TableProperty {
    var copy = self
    copy.representation = "ColumnTypes.\(name)" + (payload == nil ? "" : "?")
    copy.type = "ColumnTypes.\(name).QueryOutput"
    copy.defaultValue = defaultValue.map { _ in "ColumnTypes.Defaults.\(name)" }
    copy.payload?.representation = "ColumnTypes.\(name)"
    return copy
  }
}

/// Lets nobody hear what is wrong: two roles of one macro see the same mistakes.
private final class SilentContext: MacroExpansionContext {
  private let context: any MacroExpansionContext

  init(_ context: any MacroExpansionContext) { self.context = context }

  func makeUniqueName(_ name: String) -> TokenSyntax { context.makeUniqueName(name) }
  func diagnose(_ diagnostic: Diagnostic) {}
  func location(
    of node: some SyntaxProtocol, at position: PositionInSyntaxNode,
    filePathMode: SourceLocationFilePathMode
  ) -> AbstractSourceLocation? {
    context.location(of: node, at: position, filePathMode: filePathMode)
  }
  var lexicalContext: [Syntax] { context.lexicalContext }
}
