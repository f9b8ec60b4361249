import MartletQueryMacros
@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

/// The compiler plug-in: answers the compiler's messages on standard input.
///
/// The toolchain ships SwiftSyntax without `SwiftCompilerPlugin`, a thin layer over this message
/// handling. That layer would also look for the macros in this module, and not in
/// MartletQueryMacros.
@main struct Plugin: PluginProvider {
  static func main() throws {
    let connection = try StandardIOMessageConnection()
    try CompilerPluginMessageListener(connection: connection, provider: Plugin()).main()
  }

  func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
    guard let macro = macros[typeName] else { throw UnknownMacro(name: typeName) }
    return macro
  }
}

private struct UnknownMacro: Error, CustomStringConvertible {
  let name: String
  var description: String {
    "MartletQueryPlugin has no '\(name)', only \(macros.keys.sorted().joined(separator: ", "))"
  }
}
