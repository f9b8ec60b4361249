import SwiftSyntax
import SwiftSyntaxMacros

/// `#bind(value, as: T.self)`: passes its arguments to a function whose type is inferred from the
/// context.
enum BindMacro: ExpressionMacro {
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) -> ExprSyntax {
    "MartletQueryBuilder.MacroSupport.bind(\(node.arguments.trimmed))"
  }
}
