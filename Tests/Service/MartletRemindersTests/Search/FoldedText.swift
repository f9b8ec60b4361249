/// A text as a search compares it, written without the index: its words, each between two bars.
/// Every character of a script without blanks is a word.
struct FoldedText {
  private(set) var words: [String] = []

  init(_ text: String) {
    var isOpen = false
    for scalar in text.unicodeScalars {
      guard let letters = Self.letters(scalar) else {
        isOpen = false
        continue
      }
      let isAlone = scalar.value > 0xDFF && scalar != "ẞ"
      if isOpen, !isAlone {
        words[words.count - 1] += letters
      } else {
        words.append(letters)
      }
      isOpen = !isAlone
    }
  }

  /// The number of letters s.
  var sharps: Int { words.joined().count { $0 == "s" } }

  private static func letters(_ scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "ß", "ẞ": "ss"
    case "é": "e"
    case "a"..."z", "0"..."9": String(scalar)
    case "A"..."Z": String(scalar).lowercased()
    case "、", "🚗": nil
    default: scalar.value > 0xDFF ? String(scalar) : nil
    }
  }

  private func bars(isPrefix: Bool = false) -> String {
    // Bars stand between words, so that a mark does not join the letter in front of it.
    "|" + words.joined(separator: "|") + (isPrefix ? "" : "|")
  }

  /// Whether a search finds one of the texts: all its words, or the one phrase in quotation marks.
  static func search(_ source: String, finds texts: [String]) -> Bool {
    var terms: [String]
    var lastIsPrefix = false
    let scalars = source.unicodeScalars
    if scalars.first == "\"", let end = scalars.dropFirst().lastIndex(of: "\"") {
      terms = [String(scalars[..<end].dropFirst())]
    } else {
      terms = []
      for term in source.split(whereSeparator: \.isWhitespace).map(String.init) {
        terms.removeAll { $0 == term }
        terms.append(term)
      }
      lastIsPrefix = source.last?.isWhitespace == false
    }
    let words = terms.map { FoldedText($0) }
    guard words.contains(where: { !$0.words.isEmpty }) else { return false }
    let wanted = words.enumerated().filter { !$0.element.words.isEmpty }.map { place, word in
      word.bars(isPrefix: lastIsPrefix && place == words.count - 1)
    }
    let folded = texts.map { Array(FoldedText($0).bars().unicodeScalars) }
    return wanted.allSatisfy { term in folded.contains { $0.contains(Array(term.unicodeScalars)) } }
  }
}
