import SwiftSyntax
import SwiftSyntaxMacros

/// `@StoredType`, which `@Table` and `@Selection` put on a property whose type is none of the usual ones: it asks
/// the compiler whether the type can be stored, so that the answer stands at the property.
enum StoredTypeMacro: PeerMacro {
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    guard let variable = declaration.as(VariableDeclSyntax.self),
      let binding = variable.bindings.first,
      let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.identifier?.name,
      let type = binding.typeAnnotation?.type.optionalSugar.trimmedDescription
    else { return [] }
    return [
      """
      private nonisolated static var storedType_\(raw: name): Swift.Void { \
      QueryBuilder.MacroSupport.isStored((\(raw: type)).self) }
      """
    ]
  }

  /// The attribute for a member of a table; none where its spelling tells already.
  static func attributes(for member: some DeclSyntaxProtocol) -> [AttributeSyntax] {
    guard let variable = member.as(VariableDeclSyntax.self), variable.mayBeStored,
      !variable.isEphemeral, variable.attributes.column == nil, variable.bindings.count == 1,
      variable.propertyWrapper == nil, let binding = variable.bindings.first,
      binding.pattern.is(IdentifierPatternSyntax.self), let type = binding.typeAnnotation?.type,
      type.onlyAsJSON == nil, !usual.contains(type.spelledName)
    else { return [] }
    return ["@QueryBuilder.StoredType"]
  }

  private static let usual: Set<String> = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "Bool", "Double",
    "Float",
    "String", "Date", "UUID", "Data", "URL", "[UInt8]", "Instant",
  ]
}

extension TypeSyntax {
  /// Without the optional and the module.
  fileprivate var spelledName: String {
    var text = optionalSugar.trimmedDescription
    if text.hasSuffix("?") { text.removeLast() }
    for module in ["Swift.", "Foundation."] where text.hasPrefix(module) {
      text.removeFirst(module.count)
    }
    return text
  }
}
