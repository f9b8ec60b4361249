import SwiftSyntaxMacros

/// Every macro of the plug-in, by the type name in `#externalMacro`.
var macros: [String: any Macro.Type] {
  [
    "TableMacro": TableMacro.self,
    "SelectionMacro": SelectionMacro.self,
    "ColumnMacro": ColumnMacro.self,
    "EphemeralMacro": EphemeralMacro.self,
    "DatabaseFunctionMacro": DatabaseFunctionMacro.self,
    "SQLMacro": SQLMacro.self,
    "SQLTuplesMacro": SQLTuplesMacro.self,
    "BindMacro": BindMacro.self,
    "ConflictFormsMacro": ConflictFormsMacro.self,
  ]
}

// The toolchain ships SwiftSyntax without SwiftCompilerPlugin, a thin layer over the message
// handling that it does ship. The swift-syntax package has both.
#if canImport(SwiftCompilerPlugin)
  import SwiftCompilerPlugin

  @main struct Plugin: CompilerPlugin {
    let providingMacros = Array(macros.values)
  }
#else
  @_spi(PluginMessage) import SwiftCompilerPluginMessageHandling

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
      "MartletQueryMacros has no '\(name)', only \(macros.keys.sorted().joined(separator: ", "))"
    }
  }
#endif
