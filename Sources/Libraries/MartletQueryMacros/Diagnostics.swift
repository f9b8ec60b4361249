import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// All errors and warnings of the macros.
enum Problem: DiagnosticMessage, Error {
  // @Table, @Selection
  case onlyRows(macro: String, kind: String)
  case privateNested
  case emptyName
  case noColumns(macro: String)
  case conditionalColumns
  case severalKeys
  case duplicateColumn(String)
  case reservedName(String)
  case otherOutput(String)

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

  case lazyOptional(String)

  // Cases
  case payloadCount(String)
  case optionalPayload(String)

  // @Column, @Ephemeral
  case notStored(macro: String)
  case columnAndEphemeral
  case metatypeNeeded
  case booleanNeeded
  case generatedNeeded

  // @DatabaseFunction
  case onlyFunctions
  case onlyComputed
  case functionTypeNeeded
  case functionTypeCount(expected: Int, found: Int)
  case functionTypeNotStored(type: String, json: String)
  case asyncFunction
  case genericFunction
  case isolatedFunction
  case mutatingFunction
  case inoutParameter
  case variadicParameter
  case severalSequences
  case accumulatorMethods
  case privateMethod(String)
  case inverseDiffers

  // #sql
  case sqlUnclosed(String)
  case sqlUnopened(String)
  case sqlUnclosedComment
  case sqlParameter
  case sqlPath
  case sqlInterpolationInQuotes

  var message: String {
    switch self {
    case .onlyRows(let macro, let kind):
      "'@\(macro)' can be applied only to structs and enums, not to \(kind)"
    case .privateNested:
      "A nested struct cannot be private here, because the macro extends it from outside"
    case .emptyName:
      "Argument must be a non-empty string literal"
    case .noColumns(let macro):
      "'@\(macro)' needs at least one stored property or case"
    case .conditionalColumns:
      "A column cannot depend on '#if': a macro does not know which branch is compiled"
    case .severalKeys:
      "A table has one primary key; make a key of several columns a '@Selection' struct"
    case .duplicateColumn(let name):
      "The column \(name) is declared twice"
    case .reservedName(let name):
      "A column's property cannot be called '\(name)', which the macro declares itself"
    case .otherOutput(let type):
      """
      A row is read as itself, not as '\(type)'; what is stored otherwise than it is used has a \
      representation of its own, for '@Column(as:)'
      """

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
      """
      '\(type)' is not representable as a column; '@Column(as: \(type).JSONRepresentation.self)' stores it \
      as JSON
      """
    case .ephemeralWithoutDefault(let name):
      "The ephemeral property '\(name)' needs a default value, because no column gives it one"
    case .generatedNotConstant:
      "Generated column property must be declared with a 'let'"
    case .generatedKey:
      "A primary key cannot be a generated column"

    case .lazyOptional(let name):
      "Argument 'lazyInitializable' has no effect on optional column '\(name)'"

    case .payloadCount(let name):
      """
      The case '\(name)' needs one associated value, which its column holds; several are a \
      '@Selection' struct
      """
    case .optionalPayload(let name):
      """
      The value of the case '\(name)' cannot be optional, because NULL in its column says that the \
      row is another case
      """

    case .notStored(let macro):
      "'@\(macro)' can be applied only to stored properties and cases"
    case .columnAndEphemeral:
      "An ephemeral property is no column"
    case .metatypeNeeded:
      "Argument must be a type, as in 'as: Date.UnixTimeRepresentation.self'"
    case .booleanNeeded:
      "Argument must be 'true' or 'false'"
    case .generatedNeeded:
      "Argument must be '.stored' or '.virtual'"

    case .onlyFunctions:
      """
      '@DatabaseFunction' can be applied only to functions, computed properties, and structs with \
      'step' and 'finalize'
      """
    case .onlyComputed:
      "Only a computed property can be a database function"
    case .functionTypeNeeded:
      "Argument must be the type of a function, as in 'as: (([String].JSONRepresentation) -> Int).self'"
    case .functionTypeCount(let expected, let found):
      "The function has \(expected) parameters, but the type after 'as:' has \(found)"
    case .functionTypeNotStored(let type, let json):
      """
      '\(type)' is not representable in SQL; '\(json).JSONRepresentation' in its place in 'as:' passes \
      it as JSON
      """
    case .asyncFunction:
      """
      A database function cannot be 'async', because SQLite waits for its result; start a 'Task' \
      inside it
      """
    case .genericFunction:
      """
      A database function cannot be generic; 'some Sequence<T>' is the one parameter that may be, \
      and makes an aggregate
      """
    case .isolatedFunction:
      """
      A database function cannot belong to an actor, because SQLite calls it on the thread of the \
      statement; declare it 'nonisolated'
      """
    case .mutatingFunction:
      "A database function cannot be 'mutating', because the connection keeps a copy of its value"
    case .inoutParameter:
      "A parameter of a database function cannot be 'inout'"
    case .variadicParameter:
      "A database function cannot have a variadic parameter; pass a JSON array"
    case .severalSequences:
      """
      An aggregate has 'some Sequence<…>' as its only parameter; pass several columns as a tuple: \
      'some Sequence<(A, B)>'
      """
    case .accumulatorMethods:
      "An aggregate needs the methods 'step(…)' and 'finalize()'"
    case .privateMethod(let name):
      "'\(name)' cannot be private, because it is called from beside the struct"
    case .inverseDiffers:
      "'inverse' takes what 'step' takes"

    case .sqlUnclosed(let mark):
      "Cannot find the closing '\(mark)' in the SQL"
    case .sqlUnopened(let mark):
      "Cannot find the opening '\(mark)' in the SQL"
    case .sqlUnclosedComment:
      "Cannot find the end '*/' of the comment in the SQL"
    case .sqlParameter:
      "Invalid bind parameter in literal; use interpolation to bind values into SQL"
    case .sqlPath:
      "A JSON path is a string in SQL; write it in quotes, as in '$.name'"
    case .sqlInterpolationInQuotes:
      """
      Nothing can be bound inside quotes; concatenate with '||', or write SQL text with \
      '\\(raw:)'
      """
    }
  }

  var severity: DiagnosticSeverity {
    if case .lazyOptional = self { .warning } else { .error }
  }

  var diagnosticID: MessageID {
    let name = "\(self)".prefix { $0 != "(" }
    return MessageID(domain: "QueryMacros", id: String(name))
  }
}

/// All fix-its of the macros.
enum Fix: FixItMessage {
  case addType
  case makeVariable
  case makeConstant
  case makeFilePrivate
  case storeAsJSON(String)
  case addEphemeral
  case addDefault
  case rename(column: String)
  case passAsJSON(String)
  case removeAsync
  case removeInout
  case makeNonisolated

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
    case .passAsJSON(let type): "Apply '@DatabaseFunction(as: \(type))' to pass it as JSON"
    case .removeAsync: "Remove 'async'"
    case .removeInout: "Remove 'inout'"
    case .makeNonisolated: "Replace '@MainActor' with 'nonisolated'"
    case .rename(let column): "Rename the property and apply '@Column(\"\(column)\")'"
    }
  }

  var fixItID: MessageID {
    let name = "\(self)".prefix { $0 != "(" }
    return MessageID(domain: "QueryMacros", id: String(name))
  }

  /// A fix-it that replaces a syntax node.
  func replacing(_ old: some SyntaxProtocol, with new: some SyntaxProtocol) -> FixIt {
    FixIt(
      message: self, changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
  }
}

extension MacroExpansionContext {
  /// Emits a diagnostic.
  func report(
    _ problem: Problem, at node: some SyntaxProtocol, position: AbsolutePosition? = nil,
    fixIts: [FixIt] = []
  ) {
    diagnose(
      Diagnostic(node: Syntax(node), position: position, message: problem, fixIts: fixIts))
  }

  /// The value of an argument that must be `true` or `false`. Otherwise reports an error and
  /// returns `nil`.
  func boolean(_ argument: ExprSyntax) -> Bool? {
    guard let literal = argument.as(BooleanLiteralExprSyntax.self) else {
      report(.booleanNeeded, at: argument)
      return nil
    }
    return literal.literal.tokenKind == .keyword(.true)
  }
}
