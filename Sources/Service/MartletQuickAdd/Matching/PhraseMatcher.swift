/// Finds phrases in tokens.
///
/// The work at one token is bounded by the table of the language: patterns are of limited length,
/// rules do not contain themselves, and lists have at most ``longestList`` items.
struct PhraseMatcher {
  struct Match {
    /// The place of the token behind it.
    var end: Int
    /// The row of the table. Of matches of equal length the one with the smallest row is taken.
    var place: Int
    var value: Value
  }

  /// The maximum number of items of a list: that of the weekdays.
  static let longestList = 7

  let grammar: Grammar
  let tokens: [Token]
  let calendar: PhraseCalendar
  /// How many elements of patterns were compared with tokens.
  private(set) var steps = 0
  /// The matches of parts by their first token, because many patterns begin with the same part.
  private var parts: [Int: [Rule: [Match]]] = [:]

  init(_ tokens: [Token], _ grammar: Grammar, _ calendar: PhraseCalendar) {
    self.tokens = tokens
    self.grammar = grammar
    self.calendar = calendar
  }

  /// The matches of a rule that begin at a token, one for each length.
  mutating func matches(_ rule: Rule, at token: Int) -> [Match] {
    if rule.isPart, let known = parts[token]?[rule] { return known }
    var found: [Match] = []
    walk(grammar.trees[rule.rawValue], 0, token, Captures(), &found)
    if rule.isPart { parts[token, default: [:]][rule] = found }
    return found
  }

  private mutating func walk(
    _ tree: PhraseTree, _ node: Int, _ place: Int, _ captures: Captures, _ found: inout [Match]
  ) {
    steps += 1
    for phrase in tree.nodes[node].phrases {
      guard let value = calendar.value(phrase.meaning, captures) else { continue }
      let match = Match(end: place, place: phrase.place, value: value)
      if let same = found.firstIndex(where: { $0.end == place }) {
        if found[same].place > phrase.place { found[same] = match }
      } else {
        found.append(match)
      }
    }
    guard place < tokens.count else { return }
    let gap: Pattern.Gap = tokens[place].isFirst ? .blanks : .nothing
    if let content = literal(at: place) {
      for gap in [gap, .either] {
        steps += 1
        if let child = tree.nodes[node].literals[PhraseTree.Literal(gap: gap, content: content)] {
          walk(tree, child, place + 1, captures, &found)
        }
      }
    }
    for edge in tree.nodes[node].slots where edge.gap == gap || edge.gap == .either {
      for (end, captures) in fill(edge.slot, at: place, captures) {
        walk(tree, edge.node, end, captures, &found)
      }
    }
  }

  private func literal(at place: Int) -> PhraseTree.Literal.Content? {
    switch tokens[place].kind {
    case .word(let word): word.map { .word($0) }
    case .number(let number, _): number.map { .number($0) }
    case .symbol(let symbol): .symbol(symbol)
    case .text, .name, .notes: nil
    }
  }

  /// The ways to fill a slot from a token on: for each, the place of the next token and what the
  /// slot has taken.
  private mutating func fill(
    _ slot: Slot, at place: Int, _ captures: Captures
  ) -> [(end: Int, captures: Captures)] {
    steps += 1
    if let item = slot.item { return list(of: item, at: place, captures) }
    if case .rule(let rule) = slot {
      return matches(rule, at: place).map { match in
        var captures = captures
        captures.take(match.value)
        return (match.end, captures)
      }
    }
    var captures = captures
    let isTaken =
      switch tokens[place].kind {
      case .word(let word?)
      where (slot == .plainWeekday || slot == .shortWeekday)
        && grammar.ambiguousWeekdays.contains(word)
        && !tokens[place].isCapital:
        false
      case .word(let word): word.map { take(word: $0, slot, &captures) } ?? false
      case .number(let number, let length):
        number.map { take($0, length, slot, &captures) } ?? false
      case .symbol("!") where slot == .completion: take(completion: &captures)
      case .symbol, .text, .name, .notes: false
      }
    return isTaken ? [(place + 1, captures)] : []
  }

  private func take(completion captures: inout Captures) -> Bool {
    captures.isCompletion = true
    return true
  }

  private func take(word: Int, _ slot: Slot, _ captures: inout Captures) -> Bool {
    switch slot {
    case .number: captures.take(number: grammar.numbers[word])
    case .hourWord: captures.take(number: grammar.hours[word])
    case .weekday: captures.take(weekday: grammar.weekdays[word])
    case .anyWeekday, .plainWeekday:
      captures.take(weekday: grammar.weekdays[word] ?? grammar.shortWeekdays[word])
    case .eachWeekday: captures.take(weekday: grammar.eachWeekday[word])
    case .shortWeekday: captures.take(weekday: grammar.shortWeekdays[word])
    case .weekdayPart:
      captures.take(weekday: grammar.weekdayParts[word]?.weekday)
        && captures.take(\.part, grammar.weekdayParts[word]?.part)
    case .ordinalWord: captures.take(number: grammar.ordinals[word])
    case .month: captures.take(\.month, grammar.months[word])
    case .unit: captures.take(\.unit, grammar.units[word])
    case .shortUnit: captures.take(\.unit, grammar.shortUnits[word])
    case .dayPart: captures.take(\.part, grammar.dayParts[word])
    default: false
    }
  }

  private func take(
    _ number: Int, _ length: Int, _ slot: Slot, _ captures: inout Captures
  ) -> Bool {
    let isTaken =
      switch slot {
      case .number: number > 0
      case .hour: length <= 2 && number < 24
      case .minute: length == 2 && number < 60
      case .dayNumber: length <= 2 && 1...31 ~= number
      case .monthNumber: length <= 2 && 1...12 ~= number
      case .two: length == 2
      case .shortYear: length == 2
      case .year: length == 4 && PhraseCalendar.years ~= number
      case .fullYear: length == 4 && number >= PhraseCalendar.years.lowerBound
      default: false
      }
    guard isTaken else { return false }
    captures.numbers.append(slot == .shortYear ? 2000 + number : number)
    return true
  }

  /// The lists that begin at a token: of one item, of two, and so on.
  private mutating func list(
    of item: Slot, at place: Int, _ captures: Captures
  ) -> [(end: Int, captures: Captures)] {
    var found = fill(item, at: place, captures)
    var newest = found
    for _ in 1..<PhraseMatcher.longestList where !newest.isEmpty {
      newest = newest.flatMap { list in
        next(after: list.end, item).map { fill(item, at: $0, list.captures) } ?? []
      }
      found += newest
    }
    return found
  }

  /// The place of the next item of a list, behind a comma, a word such as "and", or both. Short
  /// weekdays need neither: "mon wed fri".
  private func next(after place: Int, _ item: Slot) -> Int? {
    var next = place
    if next < tokens.count, tokens[next].kind == .symbol(","), !tokens[next].isFirst { next += 1 }
    if next < tokens.count, tokens[next].isFirst, isAnd(tokens[next]) { next += 1 }
    guard next < tokens.count, tokens[next].isFirst else { return nil }
    return next > place || item == .anyWeekday && isShortWeekday(tokens[next]) ? next : nil
  }

  private func isShortWeekday(_ token: Token) -> Bool {
    if case .word(let word?) = token.kind { grammar.shortWeekdays[word] != nil } else { false }
  }

  private func isAnd(_ token: Token) -> Bool {
    switch token.kind {
    case .word(let word): word.map { grammar.and.contains($0) } ?? false
    case .symbol(let symbol): symbol == "&"
    default: false
    }
  }
}

extension Captures {
  fileprivate mutating func take(number: Int?) -> Bool {
    guard let number else { return false }
    numbers.append(number)
    return true
  }

  fileprivate mutating func take(weekday: Int?) -> Bool {
    guard let weekday, !weekdays.contains(weekday) else { return false }
    weekdays.append(weekday)
    return true
  }

  fileprivate mutating func take<Value>(
    _ part: WritableKeyPath<Captures, Value?>, _ value: Value?
  ) -> Bool {
    guard let value else { return false }
    self[keyPath: part] = value
    return true
  }

  /// Takes the value of a rule that is a part of others.
  fileprivate mutating func take(_ value: Value) {
    switch value {
    case .ordinal(let number): ordinals.append(number)
    case .time(let time): self.time = time
    case .date(let date): self.date = date
    case .every(let every): self.every = every
    case .due, .recurrence, .end, .alarm, .noAlarms, .flag, .priority, .text, .doubt: break
    }
  }
}
