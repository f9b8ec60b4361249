import SwiftSyntax
import SwiftSyntaxMacros

/// `@ConflictForms` on a function that makes an INSERT: generates the same function with an ON
/// CONFLICT clause, once for each form. Only the query builder uses it.
///
/// Swift distinguishes closures of one and of two parameters only by overloads, and passes a
/// closure labeled `where` to the first parameter of that name. Each combination therefore needs
/// its own function.
enum ConflictFormsMacro: PeerMacro {
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let source = declaration.as(FunctionDeclSyntax.self) else { return [] }
    return all.map { "\(raw: $0.function(behind: source))" }
  }

  // `Target` is the table in the result type `Insert<Target>`, and `Columns` its columns.
  private static let target = "@TermBuilder onConflict target: (Columns) -> [QueryFragment]"
  private static let partial = "@WhereBuilder where partial: (Columns) -> QueryFragment"
  private static let noCondition = " = { _ in QueryFragment() }"

  private static var all: [ConflictForm] {
    let nothing = ConflictForm(
      "`ON CONFLICT (…) DO NOTHING`; `where` is the condition of a partial index.",
      [target, partial + noCondition], "target: target, partial: partial")
    let misplaced = ConflictForm(
      "A condition belongs to an update behind a conflict.",
      ["@WhereBuilder where condition: (Columns) -> QueryFragment"], "condition: condition",
      attributes: """

        @available(*, unavailable, message: "An INSERT has no WHERE: 'where' follows 'onConflict' or \
        'onConflictDoUpdate'")
        @_disfavoredOverload
        """)
    return updates + [nothing, misplaced]
  }

  private static var updates: [ConflictForm] {
    let targets = [
      ("`ON CONFLICT DO UPDATE SET …`, whatever the uniqueness.", [], "onConflictDoUpdate", ""),
      ("`ON CONFLICT (…) DO UPDATE SET …`", [target], "doUpdate", "target: target, "),
      (
        "`ON CONFLICT (…) WHERE … DO UPDATE SET …`, of a partial index.", [target, partial],
        "doUpdate", "target: target, partial: partial, "
      ),
    ]
    let both = "(inout Updates<Target>, Columns) -> Void"
    let stored = "(inout Updates<Target>) -> Void"
    let onBoth = "(Columns, Columns) -> QueryFragment"
    let onStored = "(Columns) -> QueryFragment" + noCondition
    let closures = [(both, onStored), (both, onBoth), (stored, onStored), (stored, onBoth)]
    return targets.flatMap { text, parameters, label, arguments in
      closures.map { update, condition in
        let condition = "@WhereBuilder where condition: \(condition)"
        return ConflictForm(
          text, parameters + ["\(label) update: \(update)", condition],
          arguments + "update: update, condition: condition")
      }
    }
  }
}

/// The parameters of one form, after those of the annotated function.
private struct ConflictForm {
  let text: String
  let attributes: String
  let parameters: [String]
  /// The arguments of the call of `resolving`.
  let arguments: String

  init(_ text: String, _ parameters: [String], _ arguments: String, attributes: String = "") {
    self.text = text
    self.attributes = attributes
    self.parameters = parameters
    self.arguments = arguments
  }

  func function(behind source: FunctionDeclSyntax) -> String {
    let sources = source.signature.parameterClause.parameters
    let names = sources.map { parameter in
      let name = (parameter.secondName ?? parameter.firstName).text
      return parameter.firstName.text == "_" ? name : "\(parameter.firstName.text): \(name)"
    }
    let result = source.signature.returnClause?.type.trimmedDescription ?? ""
    let target = String(result.dropFirst("Insert<".count).dropLast())
    let all =
      sources.map { $0.with(\.trailingComma, nil).trimmedDescription }
      + parameters.map {
        $0.replacing("Columns", with: "Target.TableColumns").replacing("Target", with: target)
      }
    return """
      /// \(text)\(attributes)
      \(source.modifiers.trimmedDescription) func \(source.name.text)\(source.genericParameterClause?.trimmedDescription ?? "")(
        \(all.joined(separator: ",\n  "))
      ) -> \(result) \(source.genericWhereClause?.trimmedDescription ?? "") {
        \(source.name.text)(\(names.joined(separator: ", "))).resolving(\(arguments))
      }
      """
  }
}
