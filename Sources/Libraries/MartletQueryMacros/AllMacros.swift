import SwiftSyntaxMacros

/// Every macro by the type name in `#externalMacro`.
package var macros: [String: any Macro.Type] {
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
