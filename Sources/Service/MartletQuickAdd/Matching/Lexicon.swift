/// The words of a language as numbers, in lower case.
///
/// Texts that are canonically equivalent are the same word, because Swift compares strings so.
struct Lexicon: Sendable {
  private var numbers: [String: Int] = [:]
  private var longest = 0
  /// How letters are written where a keyboard does not have them: `ü` as `ue`.
  private let spellings: [(letter: Character, text: String)]

  init(spellings: [(letter: Character, text: String)] = []) {
    self.spellings = spellings
  }

  /// The number of a word, which is added if it is new.
  mutating func add(_ word: String) -> Int {
    let word = word.lowercased()
    if let number = numbers[word] { return number }
    let number = numbers.count
    var other = ""
    for letter in word { other += spellings.first { $0.letter == letter }?.text ?? String(letter) }
    for spelling in [word, other] {
      numbers[spelling] = number
      // Decomposed, a letter has up to four scalars.
      longest = max(longest, spelling.unicodeScalars.count * 4)
    }
    return number
  }

  /// The number of a word of a text, in any case; `nil` if the language does not have it.
  func number(of scalars: ArraySlice<Unicode.Scalar>) -> Int? {
    guard scalars.count <= longest else { return nil }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return numbers[String(view).lowercased()]
  }
}
