import MartletSQLTokens
import SwiftSyntax

/// Finds quotes and parentheses without a partner in a literal of `#sql`, and parameters
/// (https://sqlite.org/lang_expr.html#varparam). It is fed the literal's text in pieces, with the
/// interpolations between them.
struct SQLCheck {
  struct Issue {
    let problem: Problem
    let position: AbsolutePosition
  }

  private var bytes: [UInt8] = []
  /// Where each byte is written.
  private var positions: [AbsolutePosition] = []
  /// The bytes that stand for an interpolation that is checked: `raw:` may be anywhere.
  private var operands: [Int] = []

  mutating func read(_ characters: [SourceCharacter]) {
    for character in characters {
      for byte in UTF8.encode(character.value) ?? .init() {
        bytes.append(byte)
        positions.append(character.position)
      }
    }
  }

  /// An interpolation stands for one operand or name.
  mutating func interpolate(label: String?, at position: AbsolutePosition) {
    if label != "raw" { operands.append(bytes.count) }
    bytes.append(SQLLexer.hole)
    positions.append(position)
  }

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
          // Of a BLOB, behind its letter.
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
    // What an open quotation swallows may have the partner.
    if !isOpen { for place in openParentheses { report(.sqlUnclosed(")"), place) } }
    return issues.sorted { $0.position < $1.position }
  }
}

private func closing(_ mark: UInt8) -> String {
  mark == UInt8(ascii: "[") ? "]" : String(Unicode.Scalar(mark))
}
