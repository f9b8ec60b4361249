import MartletTime

/// A pattern without optional parts and alternatives: elements, one after the other.
struct Pattern {
  enum Element: Equatable {
    case word(String)
    case number(Int)
    case symbol(Unicode.Scalar)
    case slot(Slot)
  }

  /// The gap between an element and the one before it.
  enum Gap: Hashable, Sendable {
    case nothing, blanks, either
  }

  private(set) var elements: [(gap: Gap, element: Element)] = []

  /// All patterns that a text with optional parts and alternatives stands for.
  static func all(of text: String) -> [Pattern] {
    expand(Array(text.unicodeScalars)[...]).map { Pattern(expanded: $0) }
  }

  /// The texts without optional parts and alternatives.
  private static func expand(_ text: ArraySlice<Unicode.Scalar>) -> [[Unicode.Scalar]] {
    guard let open = text.firstIndex(where: { $0 == "[" || $0 == "(" }) else {
      return [Array(text)]
    }
    var parts: [ArraySlice<Unicode.Scalar>] = []
    var (depth, start, end) = (0, open + 1, open)
    while end < text.endIndex {
      switch text[end] {
      case "[", "(": depth += 1
      case "]", ")": depth -= 1
      default: break
      }
      if depth == 0 || (depth == 1 && text[end] == "|") {
        parts.append(text[start..<end])
        start = end + 1
      }
      if depth == 0 { break }
      end += 1
    }
    guard end < text.endIndex else { preconditionFailure("a bracket of a pattern is open") }
    let before = text[..<open]
    let inner = parts.flatMap { expand($0) } + (text[open] == "[" ? [[]] : [])
    let after = expand(text[(end + 1)...])
    return inner.flatMap { inner in after.map { Array(before) + inner + $0 } }
  }

  private init(expanded scalars: [Unicode.Scalar]) {
    var gap = Gap.either
    var place = 0
    func end(_ belongs: (Unicode.Scalar) -> Bool) -> Int {
      scalars[place...].firstIndex { !belongs($0) } ?? scalars.count
    }
    func string(_ range: Range<Int>) -> String {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[range])
      return String(view)
    }
    while place < scalars.count {
      let scalar = scalars[place]
      var next = place + 1
      let element: Element
      switch scalar {
      case " ", "~":
        if !elements.isEmpty { gap = scalar == " " ? .blanks : .either }
        place = next
        continue
      case "{":
        let close = end { $0 != "}" }
        element = .slot(Slot(named: string(next..<close)))
        next = close + 1
      case _ where ScannedText.isDigit(scalar):
        next = end(ScannedText.isDigit)
        element = .number(Int(string(place..<next)) ?? 0)
      case _ where ScannedText.isLetter(scalar):
        next = end(ScannedText.isLetter)
        element = .word(string(place..<next))
      default: element = .symbol(scalar)
      }
      elements.append((gap, element))
      gap = .nothing
      place = next
    }
  }
}

/// The parts of the text that the slots of a pattern have taken.
struct Captures {
  var numbers: [Int] = []
  var ordinals: [Int] = []
  var weekdays: [Int] = []
  var month: Int?
  var unit: TimeUnit?
  var part: DayPart?
  var time: TimeOfDay?
  var date: CivilDate?
  var every: Every?
  var isCompletion = false
}
