import SwiftSyntax
import SwiftSyntaxMacros

/// A property whose type is none of the usual ones: its representation is asked of the compiler, by a constant
/// whose type it infers. So a type that cannot be stored is one error, on the property's own line, and the
/// rest of what the macro writes compiles.
struct StoredType {
  /// As it is spelled at the property: `Reminder.Status?`
  let type: String
  /// A named or a generated column, which a group cannot be.
  let isAlone: Bool
  let place: SourcePlace

  /// `nil` for a type whose spelling tells already.
  init?(
    _ type: TypeSyntax, _ text: String, isAlone: Bool, at node: some SyntaxProtocol,
    in context: some MacroExpansionContext
  ) {
    guard !Self.usual.contains(type.spelledName) else { return nil }
    self.type = text
    self.isAlone = isAlone
    place = SourcePlace(of: node, in: context)
  }

  private static let usual: Set<String> = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "Bool", "Double",
    "Float", "String", "Date", "UUID", "Data", "URL", "[UInt8]", "Instant",
  ]

  /// `enum Stored0: … { static let probe = … }`, and `typealias place = Stored0.Representation`.
  func lines(_ name: String, _ number: Int, _ access: String) -> [String] {
    let function = isAlone ? "storedAlone" : "stored"
    return block(
      "\(access)nonisolated enum Stored\(number): MartletQueryBuilder.StoredColumn",
      place.located(
        ["\(access)static let probe = MartletQueryBuilder.MacroSupport.\(function)((\(type)).self)"]
      ))
      + ["\(access)typealias \(name) = Stored\(number).Representation"]
  }
}

/// Where something is declared.
struct SourcePlace {
  /// As Swift literals; `nil` for what another macro wrote.
  private let file: String?
  private let line: String

  init(of node: some SyntaxProtocol, in context: some MacroExpansionContext) {
    let place = context.location(of: node, at: .afterLeadingTrivia, filePathMode: .filePath)
    file = place?.file.trimmedDescription
    line = place?.line.trimmedDescription ?? "1"
  }

  /// What the compiler says of these lines, it says of the declaration's.
  func located(_ lines: [String]) -> [String] {
    guard let file else { return lines }
    return ["#sourceLocation(file: \(file), line: \(line))"] + lines + ["#sourceLocation()"]
  }
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

extension RowType {
  /// `ColumnTypes`, beside the struct: only the types that are asked for.
  var columnTypes: [String] {
    let lines = properties.enumerated().flatMap { number, property in
      property.stored?.lines(
        property.name, number, min(access, property.access).prefix) ?? []
    }
    return lines.isEmpty ? [] : block("\(access.prefix)nonisolated enum ColumnTypes", lines)
  }
}

extension TableProperty {
  /// The same property with the representation that the compiler infers.
  var throughStored: TableProperty {
    guard stored != nil else { return self }
    var copy = self
    copy.representation = "ColumnTypes.\(name)" + (payload == nil ? "" : "?")
    copy.payload?.representation = "ColumnTypes.\(name)"
    return copy
  }
}
