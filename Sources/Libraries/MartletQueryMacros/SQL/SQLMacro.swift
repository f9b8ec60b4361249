import SwiftSyntax
import SwiftSyntaxMacros

/// `#sql("…", as: T.self)`: an SQL fragment as an expression, with its text checked.
enum SQLMacro: ExpressionMacro {
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) -> ExprSyntax {
    check(node, in: context)
    return "MartletQueryBuilder.MacroSupport.sql(\(node.arguments.trimmed))"
  }

  static func check(
    _ node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) {
    for argument in node.arguments {
      if let literal = argument.expression.as(StringLiteralExprSyntax.self) {
        check(literal, in: context)
      }
    }
  }

  private static func check(
    _ literal: StringLiteralExprSyntax, in context: some MacroExpansionContext
  ) {
    var check = SQLCheck()
    for segment in literal.segments {
      if let text = segment.as(StringSegmentSyntax.self) {
        check.read(
          sourceCharacters(
            text.content.text, pounds: literal.openingPounds?.text.count ?? 0,
            from: text.content.positionAfterSkippingLeadingTrivia))
      } else if let value = segment.as(ExpressionSegmentSyntax.self) {
        check.interpolate(
          label: value.expressions.first?.label?.text,
          at: value.positionAfterSkippingLeadingTrivia)
      }
    }
    for issue in check.finish() {
      // The compiler takes the location from the node, and a multi-line literal has one node per
      // line.
      let segment = literal.segments.last {
        $0.positionAfterSkippingLeadingTrivia <= issue.position
      }
      context.report(
        issue.problem, at: segment.map(Syntax.init) ?? Syntax(literal), position: issue.position)
    }
  }
}

/// `#sql("…", as: (A, B).self)`: a statement whose rows are tuples.
enum SQLTuplesMacro: ExpressionMacro {
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) -> ExprSyntax {
    SQLMacro.check(node, in: context)
    return "MartletQueryBuilder.SQLTuples(\(node.arguments.trimmed))"
  }
}

/// A character of a string's value and its position in the source.
struct SourceCharacter {
  let value: Unicode.Scalar
  let position: AbsolutePosition
}

/// The characters of a literal's segment as they are at run time, with escape sequences resolved.
func sourceCharacters(
  _ text: String, pounds: Int, from start: AbsolutePosition
) -> [SourceCharacter] {
  var characters: [SourceCharacter] = []
  let escape = Array("\\\(String(repeating: "#", count: pounds))".unicodeScalars)
  let scalars = Array(text.unicodeScalars)
  var index = 0
  var position = start
  func advance(_ count: Int) {
    for scalar in scalars[index..<index + count] {
      position = position.advanced(by: Unicode.UTF8.width(scalar))
    }
    index += count
  }
  while index < scalars.count {
    let here = position
    guard scalars[index...].starts(with: escape), index + escape.count < scalars.count else {
      characters.append(SourceCharacter(value: scalars[index], position: here))
      advance(1)
      continue
    }
    advance(escape.count)
    let letter = scalars[index]
    advance(1)
    switch letter {
    case "n": characters.append(SourceCharacter(value: "\n", position: here))
    case "r": characters.append(SourceCharacter(value: "\r", position: here))
    case "t": characters.append(SourceCharacter(value: "\t", position: here))
    case "0": characters.append(SourceCharacter(value: "\0", position: here))
    case "u":
      let digits = scalars[index...].dropFirst().prefix { $0 != "}" }
      let number = UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
      if let scalar = number.flatMap(Unicode.Scalar.init) {
        characters.append(SourceCharacter(value: scalar, position: here))
      }
      advance(min(digits.count + 2, scalars.count - index))
    case "\n", "\r": break  // A line continuation.
    default: characters.append(SourceCharacter(value: letter, position: here))
    }
  }
  return characters
}

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
