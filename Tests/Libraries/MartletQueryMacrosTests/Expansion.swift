import Foundation
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import MartletQueryMacros

/// Source code with its macros expanded, and their diagnostics as `line:column: message`.
struct Expansion {
  let code: String
  let diagnostics: [String]

  init(of source: String) {
    let file = Parser.parse(source: source)
    let shared = BasicMacroExpansionContext(
      sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
    let conformances: [String: [TypeSyntax]] = [
      "Table": ["Table", "PrimaryKeyedTable", "EnumTable"], "Selection": ["Table", "EnumTable"],
    ]
    let names = [
      "Table": "TableMacro", "Selection": "SelectionMacro", "Column": "ColumnMacro",
      "Columns": "ColumnMacro",
      "Ephemeral": "EphemeralMacro", "MartletQueryBuilder.StoredType": "StoredTypeMacro",
      "StoredType": "StoredTypeMacro", "sql": "SQLMacro", "bind": "BindMacro",
      "DatabaseFunction": "DatabaseFunctionMacro", "ConflictForms": "ConflictFormsMacro",
    ]
    let specs = names.compactMapValues { macros[$0] }.map { name, type in
      (name, MacroSpec(type: type, conformances: conformances[name] ?? []))
    }
    code =
      file.expand(
        macroSpecs: Dictionary(uniqueKeysWithValues: specs),
        contextGenerator: {
          BasicMacroExpansionContext(
            sharingWith: shared, lexicalContext: $0.allMacroLexicalContexts())
        }, indentationWidth: .spaces(2)
      ).description
    let located = shared.diagnostics.map { diagnostic in
      let place = shared.location(
        for: diagnostic.position, anchoredAt: diagnostic.node, fileName: "Test.swift")
      return (place, diagnostic)
    }
    diagnostics =
      located
      .sorted { ($0.0.line, $0.0.column) < ($1.0.line, $1.0.column) }
      .flatMap { place, diagnostic in
        ["\(place.line):\(place.column): \(diagnostic.message)"]
          + diagnostic.fixIts.map { "  \($0.message.message): \($0.replacement)" }
      }
  }
}

extension FixIt {
  fileprivate var replacement: String {
    changes.map { change in
      guard case .replace(let old, let new) = change else { return "?" }
      return "'\(old.trimmedDescription)' → '\(new.trimmedDescription)'"
    }.joined(separator: ", ")
  }
}
