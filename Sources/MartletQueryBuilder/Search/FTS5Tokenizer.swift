/// How a full-text table cuts text into tokens (https://sqlite.org/fts5.html#tokenizers): for the
/// `CREATE VIRTUAL TABLE` of a migration.
///
/// ```swift
/// try #sql(
///   """
///   CREATE VIRTUAL TABLE "reminderTexts" USING fts5("title", "notes",
///     \(FTS5Tokenizer.porter(.unicode61(diacritics: .removed)).option))
///   """
/// ).execute(db)
/// // … tokenize = 'porter unicode61 remove_diacritics 2')
/// ```
public struct FTS5Tokenizer: Hashable, Sendable {
  public enum Diacritics: Int, Sendable {
    case kept
    /// Removed, but for some letters with more than one mark: FTS5's default.
    case mostlyRemoved
    /// `Å` and `ệ` are found as `a` and `e`.
    case removed
  }

  private var words: [String]

  /// Words of letters and digits, by Unicode, without case.
  public static func unicode61(
    diacritics: Diacritics? = nil, categories: String? = nil, tokenCharacters: String = "",
    separators: String = ""
  ) -> FTS5Tokenizer {
    var words = ["unicode61"]
    if let diacritics { words += ["remove_diacritics", String(diacritics.rawValue)] }
    if let categories { words += ["categories", string(categories)] }
    return FTS5Tokenizer(words: words + characters(tokenCharacters, separators))
  }

  /// The same for ASCII alone; all other characters are parts of words.
  public static func ascii(
    tokenCharacters: String = "", separators: String = ""
  ) -> FTS5Tokenizer {
    FTS5Tokenizer(words: ["ascii"] + characters(tokenCharacters, separators))
  }

  /// The stems of English words: `correction` is found as `correct`.
  public static func porter(_ base: FTS5Tokenizer = .unicode61()) -> FTS5Tokenizer {
    FTS5Tokenizer(words: ["porter"] + base.words)
  }

  /// Every three characters: parts of words are found, and `LIKE` and `GLOB` use the index.
  public static func trigram(isCaseSensitive: Bool = false) -> FTS5Tokenizer {
    FTS5Tokenizer(words: ["trigram"] + (isCaseSensitive ? ["case_sensitive", "1"] : []))
  }

  /// A tokenizer of one's own, with its arguments.
  public static func custom(_ name: String, _ arguments: String...) -> FTS5Tokenizer {
    FTS5Tokenizer(words: [string(name)] + arguments.map(string))
  }

  /// `tokenize = 'porter unicode61'`
  public var option: QueryFragment {
    QueryFragment(raw: "tokenize = \(quoted(literal: words.joined(separator: " ")))")
  }

  private static func characters(_ token: String, _ separators: String) -> [String] {
    (token.isEmpty ? [] : ["tokenchars", string(token)])
      + (separators.isEmpty ? [] : ["separators", string(separators)])
  }

  private static func string(_ text: String) -> String { quoted(literal: text) }
}
