// The title, the notes and the spans.
extension ScannedText {
  /// Whether a character directly behind a phrase belongs to it.
  static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ",", ".", ";", ":", "!", "?": true
    default: false
    }
  }

  /// The place behind a phrase whose last token is in front of `place`: behind the punctuation
  /// that follows it. `nil` if the word goes on, so that this is not a phrase.
  func end(of value: Value, at place: Int) -> Int? {
    switch value {
    // Punctuation would make them another word: "!!!" is text.
    case .flag, .noAlarms: isFirst(place) ? place : nil
    default: endOfWord(at: place)
    }
  }

  /// The same for any phrase.
  func endOfWord(at place: Int) -> Int? {
    var place = place
    while !isFirst(place) {
      guard case .symbol(let mark) = tokens[place].kind, ScannedText.isPunctuation(mark) else {
        return nil
      }
      place += 1
    }
    return place
  }

  /// The place behind the first of several phrases of words that is there; `nil` if none is, or
  /// nothing follows it.
  func end(ofOneOf phrases: [[Int]], at place: Int) -> Int? {
    for words in phrases {
      let end = place + words.count
      guard end < tokens.count, tokens[end].isFirst else { continue }
      let isHere = zip(tokens[place..<end], words).allSatisfy { token, word in
        token.isFirst && token.kind == .word(word)
      }
      if isHere { return end }
    }
    return nil
  }

  /// Whether a token begins the text, or is the first one behind punctuation.
  func isBeginning(_ place: Int) -> Bool {
    guard place > 0, case .symbol(let mark) = tokens[place - 1].kind else { return place == 0 }
    return ScannedText.isPunctuation(mark)
  }

  private func isFirst(_ place: Int) -> Bool { place >= tokens.count || tokens[place].isFirst }

  func string(_ range: Range<Int>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[range])
    return String(view)
  }

  /// The name behind `#` or `@`. In straight quotation marks, a backslash in front of a mark or a
  /// backslash is markup.
  func name(_ range: Range<Int>, isQuoted: Bool) -> String {
    guard isQuoted, scalars[range.lowerBound - 1] == "\"" else { return string(range) }
    var view = String.UnicodeScalarView()
    var place = range.lowerBound
    while place < range.upperBound {
      if scalars[place] == "\\", place + 1 < range.upperBound,
        scalars[place + 1] == "\\" || scalars[place + 1] == "\""
      {
        place += 1
      }
      view.append(scalars[place])
      place += 1
    }
    return String(view)
  }

  /// The notes in a part of the text: without blanks at either end, and without NUL.
  func notes(_ range: Range<Int>) -> String {
    var part = scalars[range]
    while let first = part.first, ScannedText.isBlank(first) { part.removeFirst() }
    while let last = part.last, ScannedText.isBlank(last) { part.removeLast() }
    var view = String.UnicodeScalarView()
    for scalar in part { view.append(scalar.value == 0 ? " " : scalar) }
    return String(view)
  }

  /// The text without some parts, which are in order, and without markup. Each run of blanks
  /// becomes one space.
  func title(without parts: [Range<Int>]) -> String {
    var title = String.UnicodeScalarView()
    var isBlank = false
    var next = 0
    var place = 0
    while place < scalars.count {
      if next < parts.count, place == parts[next].lowerBound {
        place = parts[next].upperBound
        next += 1
        isBlank = true
        continue
      }
      let scalar = scalars[place]
      if ScannedText.isBlank(scalar) {
        isBlank = true
      } else if !isMarkup[place] {
        if isBlank, !title.isEmpty { title.append(" ") }
        isBlank = false
        title.append(scalar)
      }
      place += 1
    }
    return String(title)
  }

  /// Phrases with the offsets of their UTF-16 code units.
  func spans(_ phrases: [(range: Range<Int>, kind: QuickAdd.Span.Kind)]) -> [QuickAdd.Span] {
    var (place, offset) = (0, 0)
    func move(to end: Int) -> Int {
      while place < end {
        offset += UTF16.width(scalars[place])
        place += 1
      }
      return offset
    }
    return phrases.map { range, kind in
      let start = move(to: range.lowerBound)
      let end = move(to: range.upperBound)
      return QuickAdd.Span(start: start, end: end, kind: kind, text: string(range))
    }
  }
}
