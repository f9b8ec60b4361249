import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Everything that the macros have to say, in one table.
enum Problem: DiagnosticMessage, Error {
  // @Table, @Selection
  case onlyStructs(macro: String, kind: String)
  case privateNested
  case emptyName
  case noColumns(macro: String)
  case conditionalColumns
  case severalKeys
  case duplicateColumn(String)
  case reservedName(String)

  // Properties
  case typeNeeded(String)
  case tuplePattern
  case lazyColumn(String)
  case wrappedColumn(String, attribute: String)
  case initializedConstant(String)
  case notRepresentable(type: String)
  case ephemeralWithoutDefault(String)
  case generatedNotConstant(String)
  case generatedKey(String)

  // @Column, @Ephemeral
  case notStored(macro: String)
  case columnAndEphemeral
  case metatypeNeeded
  case booleanNeeded
  case generatedNeeded

  // #sql
  case sqlUnclosed(String)
  case sqlUnopened(String)
  case sqlUnclosedComment
  case sqlParameter
  case sqlInterpolationInQuotes

  var message: String {
    switch self {
    case .onlyStructs(let macro, let kind):
      "'@\(macro)' can be applied only to structs, not to \(kind)"
    case .privateNested:
      "A nested struct cannot be private here, because the macro extends it from outside"
    case .emptyName:
      "Argument must be a non-empty string literal"
    case .noColumns(let macro):
      "'@\(macro)' needs at least one stored property"
    case .conditionalColumns:
      "A column cannot depend on '#if': a macro does not know which branch is compiled"
    case .severalKeys:
      "A table has one primary key; make a key of several columns a '@Table' struct of its own"
    case .duplicateColumn(let name):
      "The column \(name) is declared twice"
    case .reservedName(let name):
      "A column's property cannot be called '\(name)', which the macro declares itself"

    case .typeNeeded(let name):
      "The column '\(name)' needs a type annotation"
    case .tuplePattern:
      "A column cannot be declared by a tuple pattern; declare each property by itself"
    case .lazyColumn(let name):
      "The column '\(name)' cannot be lazy; a property that is no column is marked '@Ephemeral'"
    case .wrappedColumn(let name, let attribute):
      """
      The column '\(name)' cannot have the property wrapper '@\(attribute)'; a property that is no \
      column is marked '@Ephemeral'
      """
    case .initializedConstant(let name):
      "The column '\(name)' is a constant with a value, which cannot be read from a row"
    case .notRepresentable(let type):
      "'\(type)' is not representable as a column"
    case .ephemeralWithoutDefault(let name):
      "The ephemeral property '\(name)' needs a default value, because no column gives it one"
    case .generatedNotConstant:
      "Generated column property must be declared with a 'let'"
    case .generatedKey:
      "A primary key cannot be a generated column"

    case .notStored(let macro):
      "'@\(macro)' can be applied only to stored properties"
    case .columnAndEphemeral:
      "An ephemeral property is no column"
    case .metatypeNeeded:
      "Argument must be a type, as in 'as: Date.UnixTimeRepresentation.self'"
    case .booleanNeeded:
      "Argument must be 'true' or 'false'"
    case .generatedNeeded:
      "Argument must be '.stored' or '.virtual'"

    case .sqlUnclosed(let mark):
      "Cannot find the closing '\(mark)' in the SQL"
    case .sqlUnopened(let mark):
      "Cannot find the opening '\(mark)' in the SQL"
    case .sqlUnclosedComment:
      "Cannot find the end '*/' of the comment in the SQL"
    case .sqlParameter:
      "Invalid bind parameter in literal; use interpolation to bind values into SQL"
    case .sqlInterpolationInQuotes:
      """
      Nothing can be bound inside quotes; concatenate with '||', or write SQL text with \
      '\\(raw:)'
      """
    }
  }

  var severity: DiagnosticSeverity { .error }

  var diagnosticID: MessageID {
    let name = "\(self)".prefix { $0 != "(" }
    return MessageID(domain: "QueryMacros", id: String(name))
  }
}

/// What a fix-it proposes.
enum Fix: FixItMessage {
  case addType
  case makeVariable
  case makeConstant
  case makeFilePrivate
  case storeAsJSON(String)
  case addEphemeral
  case addDefault
  case rename(column: String)

  var message: String {
    switch self {
    case .addType: "Add a type annotation"
    case .makeVariable: "Replace 'let' with 'var'"
    case .makeConstant: "Replace 'var' with 'let'"
    case .makeFilePrivate: "Replace 'private' with 'fileprivate'"
    case .storeAsJSON(let type):
      "Apply '@Column(as: \(type).JSONRepresentation.self)' to store as JSON"
    case .addEphemeral: "Add '@Ephemeral'"
    case .addDefault: "Add a default value"
    case .rename(let column): "Rename the property and apply '@Column(\"\(column)\")'"
    }
  }

  var fixItID: MessageID {
    let name = "\(self)".prefix { $0 != "(" }
    return MessageID(domain: "QueryMacros", id: String(name))
  }

  func replacing(_ old: some SyntaxProtocol, with new: some SyntaxProtocol) -> FixIt {
    FixIt(
      message: self, changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
  }
}

extension MacroExpansionContext {
  func report(
    _ problem: Problem, at node: some SyntaxProtocol, position: AbsolutePosition? = nil,
    fixIts: [FixIt] = []
  ) {
    diagnose(
      Diagnostic(node: Syntax(node), position: position, message: problem, fixIts: fixIts))
  }
}
