import SwiftSyntax

/// Knows as much of SQL's tokens as it takes to find quotes and parentheses without a partner, and
/// parameters (https://sqlite.org/lang_expr.html#varparam). It is fed a literal's text in pieces, with
/// the interpolations between them.
struct SQLLexer {
  struct Issue {
    let problem: Problem
    let position: AbsolutePosition
  }

  private enum State {
    case plain
    /// In a quotation that ends with the mark. Two of them stand for one.
    case quoted(end: Unicode.Scalar, from: SourceCharacter)
    case lineComment
    case blockComment(from: SourceCharacter)
  }

  private var state = State.plain
  private var openParentheses: [AbsolutePosition] = []
  private var issues: [Issue] = []
  private var previous: Unicode.Scalar = " "

  mutating func read(_ characters: [SourceCharacter]) {
    var index = 0
    while index < characters.count {
      let character = characters[index]
      let next = index + 1 < characters.count ? characters[index + 1].value : " "
      index += read(character, next: next)
      previous = characters[index - 1].value
    }
  }

  /// An interpolation stands for one operand or name.
  mutating func interpolate(label: String?, at position: AbsolutePosition) {
    if case .quoted = state, label != "raw" { report(.sqlInterpolationInQuotes, position) }
    previous = ")"
  }

  mutating func finish() -> [Issue] {
    switch state {
    case .quoted(_, let start): report(.sqlUnclosed(closing(start.value)), start.position)
    case .blockComment(let start): report(.sqlUnclosedComment, start.position)
    case .plain, .lineComment:
      for position in openParentheses { report(.sqlUnclosed(")"), position) }
    }
    return issues.sorted { $0.position < $1.position }
  }

  /// The number of characters that were read.
  private mutating func read(_ character: SourceCharacter, next: Unicode.Scalar) -> Int {
    let value = character.value
    switch state {
    case .quoted(let end, _):
      if value == end {
        if next == end, end != "]" { return 2 }
        state = .plain
      }
    case .lineComment:
      if value == "\n" { state = .plain }
    case .blockComment:
      if value == "*", next == "/" {
        state = .plain
        return 2
      }
    case .plain:
      switch value {
      case "'", "\"", "`": state = .quoted(end: value, from: character)
      case "[": state = .quoted(end: "]", from: character)
      case "]": report(.sqlUnopened("["), character.position)
      case "(": openParentheses.append(character.position)
      case ")":
        if openParentheses.popLast() == nil { report(.sqlUnopened("("), character.position) }
      case "-" where next == "-": state = .lineComment
      case "/" where next == "*":
        state = .blockComment(from: character)
        return 2
      default:
        if isParameter(value, next) { report(.sqlParameter, character.position) }
        if value == "$", next == "." || next == "[", !isNamePart(previous) {
          report(.sqlPath, character.position)
        }
      }
    }
    return 1
  }

  private func isParameter(_ value: Unicode.Scalar, _ next: Unicode.Scalar) -> Bool {
    switch value {
    case "?": true
    case ":", "@": isNamePart(next)
    // May stand inside a name, though not first.
    case "$": isNamePart(next) && !isNamePart(previous)
    default: false
    }
  }

  private mutating func report(_ problem: Problem, _ position: AbsolutePosition) {
    issues.append(Issue(problem: problem, position: position))
  }
}

private func closing(_ mark: Unicode.Scalar) -> String { mark == "[" ? "]" : String(mark) }

/// https://sqlite.org/draft/tokenreq.html: letters, digits, `_`, `$` and everything beyond ASCII.
private func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar {
  case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
  default: scalar.value > 127
  }
}
