/// A language that texts can be in.
public struct QuickAddLanguage: Hashable, Sendable {
  /// Its code in BCP 47, such as `en`.
  public let code: String
  let grammar: Grammar

  init(code: String, _ words: Words, _ phrases: [Phrase]) {
    self.code = code
    grammar = Grammar(words, phrases)
  }

  /// All supported languages.
  public static let all: [QuickAddLanguage] = [.english, .german, .french]

  /// The languages of a text whose writer names none. Others are tried where the writer accepts
  /// them, because each further one finds dates in ordinary words.
  public static let usual: [QuickAddLanguage] = [.english, .german]

  /// The language with a code, in either case; `nil` if it is not supported.
  ///
  /// - Parameter code: A code such as `de`, without a region.
  public static func named(_ code: String) -> QuickAddLanguage? {
    all.first { $0.code == code.lowercased() }
  }

  /// Languages are equal if their codes are.
  ///
  /// - Parameters:
  ///   - left: A language.
  ///   - right: Another one.
  public static func == (left: QuickAddLanguage, right: QuickAddLanguage) -> Bool {
    left.code == right.code
  }

  /// Hashes the code.
  ///
  /// - Parameter hasher: The hasher to use.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
