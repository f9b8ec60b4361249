import MartletTime

/// Reads a text by the phrases of one language.
struct LanguageReader: Sendable {
  let language: QuickAddLanguage
  let now: Instant
  let zone: ZoneInfo
  let lists: ListIndex
  /// The tags that `#` can name.
  let tags: Set<String>

  /// Finds the phrases of a text.
  func reading(of text: String) -> Reading {
    let calendar = PhraseCalendar(now: now, zone: zone)
    let scanned = ScannedText(text, language.grammar.lexicon)
    var matcher = PhraseMatcher(scanned.tokens, language.grammar, calendar)
    var draft = Draft()
    var covered: [Range<Int>] = []
    var end: Range<Int>?
    var place = 0
    while place < scanned.tokens.count {
      let start = place
      let hadEnd = draft.hasEnd
      place = read(scanned, at: start, &matcher, &draft)
      covered.append(start..<place)
      if draft.hasEnd, !hadEnd { end = start..<place }
    }
    if draft.hasDates { draft.doubts += doubts(scanned, covered, end, draft.hasTimeOnly, &matcher) }
    return Reading(
      language: language, draft: draft, scanned: scanned, calendar: calendar,
      steps: scanned.steps + matcher.steps)
  }

  /// Reads the phrase or the text at a token, and returns the place of the token behind it.
  private func read(
    _ scanned: ScannedText, at place: Int, _ matcher: inout PhraseMatcher, _ draft: inout Draft
  ) -> Int {
    let token = scanned.tokens[place]
    guard token.isFirst else { return place + 1 }
    switch token.kind {
    case .text: return place + 1
    case .notes:
      let notes = scanned.notes(token.range.lowerBound + 2..<token.range.upperBound)
      draft.take(notes: notes, token.range)
      return place + 1
    case .name(let sign, let name, let isQuoted):
      return read(name, isQuoted, behind: sign, scanned, at: place, &draft)
    case .word, .number, .symbol: break
    }
    var best: (end: Int, match: PhraseMatcher.Match)?
    // A phrase that cannot be taken is text as a whole: no part of it is read as something else.
    var behind = place + 1
    var hasBareRecurrence = false
    for rule in Rule.phrases {
      for match in matcher.matches(rule, at: place) {
        guard let end = scanned.end(of: match.value, at: match.end) else { continue }
        if !draft.canTake(match.value, matcher.calendar)
          || match.value.isBareTime && end == match.end
            && !scanned.isBeginning(place) && isPlainWord(scanned, at: end, &matcher)
          || isShared(match, at: place, scanned, &matcher)
        {
          behind = max(behind, end)
        } else if end == match.end, isBareOrdinal(match, at: place, scanned, &matcher) {
          behind = max(behind, end)
          if case .recurrence = match.value { hasBareRecurrence = true }
        } else if match.end > best?.match.end ?? 0 {
          best = (end, match)
        }
      }
    }
    if best == nil, place == 0, let end = scanned.end(ofOneOf: language.grammar.leads, at: 0) {
      draft.lead = Draft.Lead(
        range: token.range.lowerBound..<scanned.tokens[end - 1].range.upperBound, end: end,
        isWhole: end > language.grammar.halfLead)
      return end
    }
    guard let best else {
      if hasBareRecurrence { draft.doubts.append(place..<behind) }
      return behind
    }
    // A day or a time alone is joined with what is known; a day with a time is not taken apart.
    if behind > best.end, draft.joins(best.match.value) { return behind }
    var end = best.end
    if place == 0, case .alarm = best.match.value { end = endOfLead(scanned, at: end) }
    if place == draft.lead?.end, best.match.value.isDate, endOfLead(scanned, at: end) > end {
      end = endOfLead(scanned, at: end)
      draft.lead?.isWhole = true
    }
    let last = scanned.tokens[end - 1]
    draft.take(
      best.match.value, token.range.lowerBound..<last.range.upperBound, matcher.calendar)
    return end
  }

  /// Whether the word at a place may be what a number in front of it counts: no phrase begins with
  /// it, and it is none of the words that cannot be counted.
  func isPlainWord(
    _ scanned: ScannedText, at place: Int, _ matcher: inout PhraseMatcher
  ) -> Bool {
    guard place < scanned.tokens.count, case .word(let word) = scanned.tokens[place].kind else {
      return false
    }
    guard let word else { return true }
    let grammar = language.grammar
    if grammar.behindTime.contains(word) || grammar.dayParts[word] != nil { return false }
    for rule in Rule.phrases {
      for match in matcher.matches(rule, at: place)
      where scanned.end(of: match.value, at: match.end) != nil {
        return false
      }
    }
    return true
  }

  /// The place behind the words that lead from an alarm to the title ("to"); the same place if
  /// there are no such words, or nothing follows them.
  private func endOfLead(_ scanned: ScannedText, at place: Int) -> Int {
    scanned.end(ofOneOf: language.grammar.behindAlarm, at: place) ?? place
  }

  /// Reads the name of a list or a tag.
  private func read(
    _ name: Range<Int>, _ isQuoted: Bool, behind sign: Unicode.Scalar, _ scanned: ScannedText,
    at place: Int, _ draft: inout Draft
  ) -> Int {
    let range = scanned.tokens[place].range
    guard let end = isQuoted ? scanned.endOfWord(at: place + 1) : place + 1 else {
      return place + 1
    }
    var names = [name]
    if !isQuoted {
      // Punctuation at the end is a part of the name if there is such a list.
      var last = name.upperBound
      while last > name.lowerBound + 1, ScannedText.isPunctuation(scanned.scalars[last - 1]) {
        last -= 1
      }
      names = sign == "#" ? [name, name.lowerBound..<last] : [name.lowerBound..<last]
    }
    let all = range.lowerBound..<scanned.tokens[end - 1].range.upperBound
    for name in names {
      let name = scanned.name(name, isQuoted: isQuoted)
      if draft.take(name: name, behind: sign, all, of: lists, tags) { return end }
    }
    return place + 1
  }
}
