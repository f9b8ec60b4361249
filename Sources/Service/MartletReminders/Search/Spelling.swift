/// The spellings under which the search index may have a word: `Straße` is found as `strasse`, and
/// the other way round. FTS5 ignores case and accents, but `ß` is a letter of its own there.
enum Spelling {
  /// The maximum number of spellings of a word or phrase. What is behind the last `ss` that fits is
  /// found as it is typed.
  static let most = 16

  /// The text as it is typed, and then with each `ss` as `ß` and each `ß` as `ss`, as the index has
  /// them. A prefix may end inside a `ß`.
  static func all(of text: String, isPrefix: Bool = false) -> [String] {
    variants(of: text, isPrefix: isPrefix).map { (text: String) in
      UnspacedScripts.separated(text)
    }
  }

  /// The same of several words, which contain no blanks.
  static func all(of words: [String]) -> [[String]] {
    variants(of: words.joined(separator: " ")).map {
      $0.split(separator: " ").map { UnspacedScripts.separated(String($0)) }
    }
  }

  private static func variants(of text: String, isPrefix: Bool = false) -> [String] {
    var variants = [""]
    var rest = text.unicodeScalars[...]
    while !rest.isEmpty {
      let other = rest.prefix { value(of: $0) == 0 }
      rest = rest[other.endIndex...]
      let run = rest.prefix { value(of: $0) > 0 }
      rest = rest[run.endIndex...]
      let isLast = !rest.contains { SearchText.isPartOfToken($0) || UnspacedScripts.contain($0) }
      var forms = forms(of: run, isOpen: isPrefix && isLast)
      if variants.count * forms.count > most { forms = [String(run)] }
      variants = variants.flatMap { start in forms.map { start + String(other) + $0 } }
    }
    return variants
  }

  /// The number of letters s that a letter stands for.
  private static func value(of scalar: Unicode.Scalar) -> Int {
    switch scalar {
    case "s", "S", "\u{17F}": 1
    case "ß", "ẞ": 2
    default: 0
    }
  }

  /// The ways to write as many letters s as a run stands for, itself first. If it is open, the last
  /// one may be the first half of a `ß`.
  private static func forms(of run: Substring.UnicodeScalarView, isOpen: Bool) -> [String] {
    let count = run.reduce(0) { $0 + value(of: $1) }
    guard count <= 5 else { return [String(run)] }
    let all = sequences(of: count) + (isOpen ? sequences(of: count - 1).map { $0 + "ß" } : [])
    let own = String(run).lowercased().replacing("\u{17F}", with: "s")
    return [String(run)] + all.filter { $0 != own }
  }

  private static func sequences(of count: Int) -> [String] {
    if count < 1 { return count == 0 ? [""] : [] }
    return sequences(of: count - 1).map { $0 + "s" } + sequences(of: count - 2).map { $0 + "ß" }
  }
}
