/// The phrases that one language finds in a text.
struct Reading {
  let language: QuickAddLanguage
  let draft: Draft
  let scanned: ScannedText
  let calendar: PhraseCalendar
  let steps: Int

  /// Whether words that say one thing together are not in one phrase, so that no date is read.
  var hasDoubt: Bool { draft.hasDates && !draft.doubts.isEmpty }

  /// The number of characters that the language has phrases for, without blanks.
  ///
  /// Phrases that a doubt gives up count too. Short weekdays do not: `do`, `so` and `sun` are words
  /// of the other language.
  var understood: Int {
    let grammar = language.grammar
    var number = 0
    for (token, isKnown) in zip(scanned.tokens, known) where isKnown {
      if case .word(let word?) = token.kind, grammar.shortWeekdays[word] != nil { continue }
      number += token.range.count
    }
    return number
  }

  /// Whether another language reads a date in words that this one leaves in the title, or knows
  /// that such words belong together. Then the text is in both, and a date would be of a part.
  func isDoubted(by other: Reading) -> Bool {
    guard other.draft.hasDates else { return false }
    let known = known
    func leaves(_ tokens: some Collection<Int>) -> Bool {
      tokens.contains { place in
        switch scanned.tokens[place].kind {
        case .word, .number: !known[place]
        case .symbol, .text, .name, .notes: false
        }
      }
    }
    if other.draft.doubts.contains(where: { leaves($0) }) { return true }
    let dates = other.draft.phrases.filter { $0.kind.isDate }.map(\.range)
    return leaves(
      other.places(of: dates).enumerated().filter { $0.element }.map { $0.offset })
  }

  /// Which tokens are in a phrase, or in words that the language knows as text.
  private var known: [Bool] {
    var ranges = draft.phrases.map(\.range) + draft.texts
    if let lead = draft.lead { ranges.append(lead.range) }
    return places(of: ranges.sorted { $0.lowerBound < $1.lowerBound })
  }

  /// Which tokens are in one of several ranges of scalars, which are in order.
  private func places(of ranges: [Range<Int>]) -> [Bool] {
    var next = 0
    return scanned.tokens.map { token in
      while next < ranges.count, ranges[next].upperBound <= token.range.lowerBound { next += 1 }
      return next < ranges.count && ranges[next].lowerBound <= token.range.lowerBound
    }
  }

  /// The reminder, with its dates or without any.
  func result(withDates: Bool) -> QuickAdd {
    var draft = draft
    if !withDates { draft.refuseDates() }
    var result = draft.finish(calendar)
    draft.finishLead(result, scanned)
    result.language = language.code
    result.title = scanned.title(without: draft.phrases.map(\.range))
    result.spans = scanned.spans(draft.phrases)
    return result
  }
}

extension QuickAdd.Span.Kind {
  fileprivate var isDate: Bool {
    switch self {
    case .due, .recurrence, .alarm: true
    case .list, .tag, .priority, .flag, .notes: false
    }
  }
}
