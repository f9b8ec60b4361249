import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Writes `ColumnTypes`, which names the types of the columns from inside the struct.
///
/// The extension of a nested struct, `extension Outer.Row`, cannot refer to the types of `Outer` by
/// their short names, but the struct's body can. A nested struct therefore gets this enum as a
/// member, and its extension uses `ColumnTypes.status` in place of `Status`.
struct NestedTypes {
  let row: RowType

  /// The member, or nothing for a top-level struct and for one whose errors the extension reports.
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
  /// The same property as it is named in the extension.
  var throughColumnTypes: TableProperty {
    var copy = self
    copy.representation = "ColumnTypes.\(name)" + (payload == nil ? "" : "?")
    copy.type = "ColumnTypes.\(name).QueryOutput"
    copy.defaultValue = defaultValue.map { _ in "ColumnTypes.Defaults.\(name)" }
    copy.payload?.representation = "ColumnTypes.\(name)"
    return copy
  }
}

/// Discards diagnostics, because the other role of the same macro reports the same errors.
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
