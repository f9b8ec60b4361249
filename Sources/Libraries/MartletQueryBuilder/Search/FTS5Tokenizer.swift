/// How a full-text table splits text into tokens (https://sqlite.org/fts5.html#tokenizers), for the
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
  /// How a tokenizer treats diacritics: the value of `remove_diacritics`.
  public enum Diacritics: Int, Sendable {
    /// Kept: `Å` is not found as `a`.
    case kept
    /// Removed, except from some letters with more than one mark: FTS5's default.
    case mostlyRemoved
    /// Removed: `Å` and `ệ` are found as `a` and `e`.
    case removed
  }

  private var words: [String]

  /// Splits text into words of letters and digits by Unicode, ignoring case: `unicode61`.
  ///
  /// `categories` are the Unicode categories of token characters, such as `L* N* Co`.
  /// `tokenCharacters` are further token characters, and `separators` characters that are not.
  public static func unicode61(
    diacritics: Diacritics? = nil, categories: String? = nil, tokenCharacters: String = "",
    separators: String = ""
  ) -> FTS5Tokenizer {
    var words = ["unicode61"]
    if let diacritics { words += ["remove_diacritics", String(diacritics.rawValue)] }
    if let categories { words += ["categories", string(categories)] }
    return FTS5Tokenizer(words: words + characters(tokenCharacters, separators))
  }

  /// Splits text into words of ASCII letters and digits, ignoring case: `ascii`.
  ///
  /// All other characters beyond ASCII are token characters.
  public static func ascii(
    tokenCharacters: String = "", separators: String = ""
  ) -> FTS5Tokenizer {
    FTS5Tokenizer(words: ["ascii"] + characters(tokenCharacters, separators))
  }

  /// Reduces English words to their stem, so that `correction` is found as `correct`: `porter`.
  public static func porter(_ base: FTS5Tokenizer = .unicode61()) -> FTS5Tokenizer {
    FTS5Tokenizer(words: ["porter"] + base.words)
  }

  /// Makes a token of every three characters: `trigram`.
  ///
  /// Parts of words are found, and `LIKE` and `GLOB` use the index.
  public static func trigram(isCaseSensitive: Bool = false) -> FTS5Tokenizer {
    FTS5Tokenizer(words: ["trigram"] + (isCaseSensitive ? ["case_sensitive", "1"] : []))
  }

  /// A custom tokenizer, with its arguments.
  public static func custom(_ name: String, _ arguments: String...) -> FTS5Tokenizer {
    FTS5Tokenizer(words: [string(name)] + arguments.map(string))
  }

  /// The option for `CREATE VIRTUAL TABLE`: `tokenize = 'porter unicode61'`.
  public var option: QueryFragment {
    QueryFragment(raw: "tokenize = \(quoted(literal: words.joined(separator: " ")))")
  }

  private static func characters(_ token: String, _ separators: String) -> [String] {
    (token.isEmpty ? [] : ["tokenchars", string(token)])
      + (separators.isEmpty ? [] : ["separators", string(separators)])
  }

  private static func string(_ text: String) -> String { quoted(literal: text) }
}
