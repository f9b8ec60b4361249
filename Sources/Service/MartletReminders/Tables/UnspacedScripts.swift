import MartletQueryBuilder

/// The scripts that put no blanks between words: those of Chinese, Japanese, Thai, Lao, Burmese and
/// Khmer.
///
/// FTS5's tokenizer takes what is between two blanks as one word. So the index stores these texts
/// with a separator around each of their characters, which makes every character a token, and a
/// word a phrase: docs/decisions/0046-words-without-blanks.md.
enum UnspacedScripts {
  /// Unit separator, one byte, which `unicode61` takes as a blank.
  static let separator: Unicode.Scalar = "\u{1F}"

  /// Blocks of these scripts (https://www.unicode.org/Public/UNIDATA/Blocks.txt). The marks among
  /// them are `tokenchars` of the index.
  private static let ranges: [ClosedRange<Unicode.Scalar>] = [
    // Thai and Lao, Burmese, Khmer.
    "\u{0E00}"..."\u{0EFF}", "\u{1000}"..."\u{109F}", "\u{1780}"..."\u{17FF}",
    // Iteration marks, kana and Bopomofo, Han: without Hangul, which has blanks.
    "\u{3005}"..."\u{3007}", "\u{3041}"..."\u{312F}", "\u{31A0}"..."\u{9FFF}",
    // Compatibility ideographs, half-width Katakana, old kana, the rest of Han.
    "\u{F900}"..."\u{FAFF}", "\u{FF66}"..."\u{FF9F}", "\u{1B000}"..."\u{1B16F}",
    "\u{20000}"..."\u{3FFFD}",
  ]

  static func contain(_ scalar: Unicode.Scalar) -> Bool {
    scalar >= "\u{0E00}" && ranges.contains { $0.contains(scalar) }
  }

  /// The text with a separator around each character of these scripts, as a search pattern has it.
  static func separated(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: contain) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      guard contain(scalar) else {
        result.append(scalar)
        continue
      }
      if result.last != separator { result.append(separator) }
      result.append(scalar)
      result.append(separator)
    }
    return String(result)
  }

  /// The same in plain SQL, for triggers, which every program runs.
  static func separated(_ text: QueryFragment) -> QueryFragment {
    QueryFragment(raw: head) + text + QueryFragment(raw: tail)
  }

  /// The same of a text that is given as SQL.
  static func separated(sql text: String) -> String { head + text + tail }

  /// A text of ASCII costs two lengths, and another one without these scripts a `GLOB`. The others
  /// are read in pieces of 100 characters, because `substr` counts from the beginning.
  private static let head = """
    (SELECT CASE WHEN length(x) < length(CAST(x AS BLOB)) AND x GLOB '*\(set)*' \
    THEN replace((WITH RECURSIVE pieces(at, t) AS (SELECT 1, substr(x, 1, 100) \
    UNION ALL SELECT at + 100, substr(x, at + 100, 100) FROM pieces WHERE length(t) = 100), \
    places(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM places WHERE i < min(100, length(x))) \
    SELECT group_concat(CASE WHEN substr(t, i, 1) GLOB '\(set)' \
    THEN char(31) || substr(t, i, 1) || char(31) ELSE substr(t, i, 1) END, '') \
    FROM pieces CROSS JOIN places WHERE i <= length(t)), char(31, 31), char(31)) \
    ELSE x END FROM (SELECT\u{20}
    """
  private static let tail = " AS x))"

  /// The set of these characters in the language of `GLOB`.
  private static let set =
    "[" + ranges.map { "\($0.lowerBound)-\($0.upperBound)" }.joined() + "]"

  /// A marked text without the separators.
  static func joined(_ text: QueryFragment) -> QueryFragment {
    "replace(\(text), char(31), '')"
  }
}
