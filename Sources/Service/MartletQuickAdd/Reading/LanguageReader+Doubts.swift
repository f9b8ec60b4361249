// What must not be read in parts.
extension LanguageReader {
  /// The words that say one thing together and are not in one phrase, as places of tokens: `every
  /// 2nd and 4th` of `every 2nd and 4th time`. A date of a part of them would be wrong.
  ///
  /// - Parameters:
  ///   - scanned: The text.
  ///   - phrases: The phrases, and the words without one, as places of tokens in order.
  ///   - end: The phrase for the end of a recurrence.
  ///   - hasTimeOnly: Whether there is a time without a day.
  ///   - matcher: Finds phrases.
  func doubts(
    _ scanned: ScannedText, _ phrases: [Range<Int>], _ end: Range<Int>?, _ hasTimeOnly: Bool,
    _ matcher: inout PhraseMatcher
  ) -> [Range<Int>] {
    var doubts: [Range<Int>] = []
    var phrase = 0
    for place in scanned.tokens.indices {
      while phrase < phrases.count, phrases[phrase].upperBound <= place { phrase += 1 }
      guard scanned.canBegin(place) else { continue }
      for match in matcher.matches(.doubt, at: place) {
        let isCovered = phrase < phrases.count && match.end <= phrases[phrase].upperBound
        if isCovered || !scanned.canEnd(match.end) { continue }
        let holdsEnd = end.map { place < $0.lowerBound && $0.lowerBound < match.end } ?? false
        switch match.value {
        case .doubt(.bare) where isCounted(scanned, at: match.end, &matcher): break
        case .doubt(.range) where holdsEnd: break
        case .doubt(.bareRange)
        where holdsEnd || isCounted(scanned, at: match.end, &matcher):
          break
        case .doubt(.unreadDay) where !hasTimeOnly: break
        case .doubt(.opening)
        where phrase >= phrases.count || phrases[phrase].lowerBound != place:
          break
        default: doubts.append(place..<match.end)
        }
      }
    }
    return doubts
  }

  /// Whether the last word of an alarm begins another one: `um 9 erinnern 1 Stunde vorher`.
  func isShared(
    _ match: PhraseMatcher.Match, at place: Int, _ scanned: ScannedText,
    _ matcher: inout PhraseMatcher
  ) -> Bool {
    guard case .alarm = match.value, match.end - 1 > place, scanned.tokens[match.end - 1].isFirst
    else { return false }
    return matcher.matches(.alarm, at: match.end - 1).contains { other in
      scanned.end(of: other.value, at: other.end) != nil
    }
  }

  /// Whether a phrase ends with an ordinal alone that may count the word behind it: `on the 3rd` of
  /// `on the 3rd floor`, and `le 3` of `le 3 pièces`.
  func isBareOrdinal(
    _ match: PhraseMatcher.Match, at place: Int, _ scanned: ScannedText,
    _ matcher: inout PhraseMatcher
  ) -> Bool {
    switch match.value {
    case .due(.day), .recurrence(_, nil, from: nil): break
    default: return false
    }
    guard !scanned.isBeginning(place), match.end - 1 > place else { return false }
    // With a sign or letters behind it, or without.
    let last = scanned.tokens[match.end - 1].isFirst ? match.end - 1 : match.end - 2
    guard last > place, case .number = scanned.tokens[last].kind, scanned.tokens[last].isFirst
    else { return false }
    let grammar = language.grammar
    for token in scanned.tokens[place..<match.end] {
      if case .word(let word?) = token.kind,
        grammar.months[word] != nil || grammar.weekdays[word] != nil
          || grammar.shortWeekdays[word] != nil
      {
        return false
      }
    }
    return isCounted(scanned, at: match.end, &matcher)
  }

  /// Whether the number in front of a place may count the word there.
  private func isCounted(
    _ scanned: ScannedText, at place: Int, _ matcher: inout PhraseMatcher
  ) -> Bool {
    guard place < scanned.tokens.count else { return false }
    if language.grammar.hasCapitalNouns, !scanned.tokens[place].isCapital { return false }
    return isPlainWord(scanned, at: place, &matcher)
  }
}

extension ScannedText {
  /// Whether a word begins at a token, also behind a bracket.
  fileprivate func canBegin(_ place: Int) -> Bool {
    switch tokens[place].kind {
    case .text, .name, .notes: return false
    case .symbol: return false
    case .word, .number: break
    }
    guard !tokens[place].isFirst, place > 0 else { return true }
    guard case .symbol(let mark) = tokens[place - 1].kind else { return false }
    return "([{".unicodeScalars.contains(mark) && tokens[place - 1].isFirst
  }

  /// Whether a word ends in front of a token, also in front of a bracket.
  fileprivate func canEnd(_ place: Int) -> Bool {
    if endOfWord(at: place) != nil { return true }
    guard case .symbol(let mark) = tokens[place].kind else { return false }
    return ")]}".unicodeScalars.contains(mark)
  }
}
