import MartletSQLTokens
import SwiftSyntax

/// Finds unbalanced quotes and parentheses, and bind parameters
/// (https://sqlite.org/lang_expr.html#varparam), in a literal of `#sql`.
///
/// The literal's text is read in pieces, with its interpolations between them.
struct SQLCheck {
  struct Issue {
    let problem: Problem
    let position: AbsolutePosition
  }

  private var bytes: [UInt8] = []
  /// The source position of each byte.
  private var positions: [AbsolutePosition] = []
  /// The positions of the interpolations that are checked. `raw:` is allowed anywhere.
  private var operands: [Int] = []

  /// Appends text.
  mutating func read(_ characters: [SourceCharacter]) {
    for character in characters {
      for byte in UTF8.encode(character.value) ?? .init() {
        bytes.append(byte)
        positions.append(character.position)
      }
    }
  }

  /// Appends an interpolation, which stands for one operand or name.
  mutating func interpolate(label: String?, at position: AbsolutePosition) {
    if label != "raw" { operands.append(bytes.count) }
    bytes.append(SQLLexer.hole)
    positions.append(position)
  }

  /// Checks the text and returns the issues in source order.
  func finish() -> [Issue] {
    var issues: [Issue] = []
    var openParentheses: [Int] = []
    var isOpen = false
    func report(_ problem: Problem, _ place: Int) {
      issues.append(Issue(problem: problem, position: positions[place]))
    }
    for token in SQLLexer.tokens(of: bytes) {
      let start = token.range.lowerBound
      let first = bytes[start]
      switch token.kind {
      case .string, .quotedName, .blob:
        for place in operands where token.range.contains(place) {
          report(.sqlInterpolationInQuotes, place)
        }
        if !token.isClosed {
          isOpen = true
          // The quote of a BLOB literal follows its letter.
          let quote = token.kind == .blob ? start + 1 : start
          report(.sqlUnclosed(closing(bytes[quote])), quote)
        }
      case .blockComment where !token.isClosed:
        isOpen = true
        report(.sqlUnclosedComment, start)
      case .parameter: report(.sqlParameter, start)
      case .mark where first == UInt8(ascii: "("): openParentheses.append(start)
      case .mark where first == UInt8(ascii: ")"):
        if openParentheses.popLast() == nil { report(.sqlUnopened("("), start) }
      case .illegal:
        if first == UInt8(ascii: "]") { report(.sqlUnopened("["), start) }
        if first == UInt8(ascii: "$") {
          let next = start + 1 < bytes.count ? bytes[start + 1] : 0
          let isPath = next == UInt8(ascii: ".") || next == UInt8(ascii: "[")
          if isPath { report(.sqlPath, start) }
        }
        if token.range.count > 1,
          [UInt8(ascii: "$"), UInt8(ascii: ":"), UInt8(ascii: "@")].contains(first)
        {
          report(.sqlParameter, start)
        }
      case .word, .number, .mark, .lineComment, .blockComment, .hole: break
      }
    }
    // The closing parenthesis may be inside an unterminated quotation.
    if !isOpen { for place in openParentheses { report(.sqlUnclosed(")"), place) } }
    return issues.sorted { $0.position < $1.position }
  }
}

private func closing(_ mark: UInt8) -> String {
  mark == UInt8(ascii: "[") ? "]" : String(Unicode.Scalar(mark))
}
