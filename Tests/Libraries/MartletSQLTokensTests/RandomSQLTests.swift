import CMartletSQLite
import MartletSQLTokens
import TestSupport
import Testing

/// Checks random texts against their construction, a slow lexer of regular expressions, and SQLite.
@Suite struct RandomSQLTests {
  private static let pieces: [SQLLexer.Kind: [String]] = [
    .word: ["a", "SELECT", "x", "e1", "_b", "a$b", "ä"],
    .quotedName: ["\"a\"\"b\"", "\"'--\"", "[a b]", "[]", "[`/*]", "`a``b`", "``"],
    .string: ["''", "'it''s'", "'\"'", "'--'", "'/*'", "'?:a'", "'\n'", "'''['''"],
    .blob: ["x''", "X'0aFF'"],
    .number: ["0", "12", "1.5", ".5", "1.", "1e5", "1.5E-3", "0xaF"],
    .parameter: ["?", "?12", ":a", "@b1", "$c", "$d::e(f)"],
    .mark: [
      "(", ")", "+", "-", "*", "/", ",", ";", ".", "=", "==", "<=", "<>", "||", "->", "->>", "~",
    ],
    .lineComment: ["--\n", "-- it's (\n", "-- /*\n"],
    .blockComment: ["/**/", "/* ' */", "/* -- \n [ */", "/***/"],
    .illegal: ["]", "!", "{", "12ab", "x'0'", "x'g'", "^"],
  ]
  private static let open: [(SQLLexer.Kind, String)] = [
    (.string, "'a''"), (.quotedName, "\"a"), (.quotedName, "[a'"), (.quotedName, "`"),
    (.blob, "x'0"),
    (.lineComment, "-- '"), (.blockComment, "/* *"), (.blockComment, "/*/"),
  ]

  /// Joined with whitespace, the tokens are read back unchanged. The last one may be unterminated.
  @Test func tokensThatWerePutTogether() throws {
    var random = SeededRandom(seed: 1)
    let kinds = Self.pieces.keys.sorted { "\($0)" < "\($1)" }
    for _ in 0..<5_000 {
      var expected: [String] = []
      var sql = ""
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let kind = try #require(kinds.randomElement(using: &random))
        let text = try #require(Self.pieces[kind]?.randomElement(using: &random))
        sql += text + [" ", "\n", " \t\r\n"][Int.random(in: 0..<3, using: &random)]
        expected.append("\(kind) \(text)")
      }
      if Bool.random(using: &random), let (kind, text) = Self.open.randomElement(using: &random) {
        sql += text
        expected.append("\(kind) \(text)…")
      }
      try #require(lexed(sql) == expected, "\(sql)")
    }
  }

  /// The reference lexer tries every pattern at each position.
  @Test func charactersInAnyOrder() throws {
    let number = #"(?>([0-9]+(\.[0-9]*)?|\.[0-9]+)(e[-+]?[0-9]+)?)"#
    let patterns = try [
      ("lineComment", #"--[^\n]*\n"#), ("lineComment…", #"--[^\n]*\z"#),
      ("blockComment", #"/\*((?!\*/)[\s\S])*\*/"#), ("blockComment…", #"/\*[\s\S]*\z"#),
      ("blob", "[xX]'([0-9a-fA-F]{2})*'"), ("blob…", #"[xX]'[^']*\z"#), ("illegal", "[xX]'[^']*'"),
      ("string", "'([^']|'')*'(?!')"), ("string…", #"'[\s\S]*\z"#),
      ("quotedName", #""([^"]|"")*"(?!")"#), ("quotedName…", #""[\s\S]*\z"#),
      ("quotedName", "`([^`]|``)*`(?!`)"), ("quotedName…", #"`[\s\S]*\z"#),
      ("quotedName", #"\[[^\]]*\]"#), ("quotedName…", #"\[[\s\S]*\z"#),
      ("parameter", #"\?[0-9]*"#), ("parameter", "[:@$][0-9a-z$]+"),
      ("number", number + "(?![0-9a-z$])"), ("illegal", number + "[0-9a-z$]+"),
      ("word", "[a-z][0-9a-z$]*"),
      ("mark", #"->>|->|<=|<>|<<|>=|>>|==|!=|\|\||[-().*/=<>|]"#), ("illegal", #"[\]!:@$]"#),
    ].map { kind, pattern in (kind, try Regex(pattern)) }
    var random = SeededRandom(seed: 2)
    let alphabet = Array("''\"\"``[]--/**/\n\n  xae12..?:@$()=<>|!")
    for _ in 0..<4_000 {
      let sql = String(
        (0..<Int.random(in: 0...14, using: &random)).map { _ in
          alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
        })
      // Tcl's `::` and parentheses are covered by the other tests.
      if sql.contains("::") || sql.contains(/[:@$][0-9a-z$]+\(/) { continue }
      var expected: [String] = []
      var rest = sql[...]
      while let first = rest.first {
        if first.isWhitespace {
          rest.removeFirst()
          continue
        }
        let found = patterns.lazy.compactMap { kind, pattern in
          rest.prefixMatch(of: pattern).map { (kind, $0.range) }
        }.first
        let (kind, range) = try #require(found, "\(sql)")
        expected.append(
          "\(kind.filter { $0 != "…" }) \(rest[range])\(kind.hasSuffix("…") ? "…" : "")")
        rest = rest[range.upperBound...]
      }
      try #require(lexed(sql) == expected, "\(sql)")
    }
  }

  /// A semicolon after a text ends the statement unless a quotation or comment is open
  /// (https://sqlite.org/c3ref/complete.html). `sqlite3_complete` does not know parameters with
  /// parentheses.
  @Test func whatSQLiteTakesForComplete() throws {
    var random = SeededRandom(seed: 3)
    let alphabet = Array("''\"\"``[]--/**/\n\n  xb12.?:@$=<>|!ä;")
    var count = 0
    for _ in 0..<20_000 {
      let sql = String(
        (0..<Int.random(in: 0...16, using: &random)).map { _ in
          alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
        })
      let isClosed = SQLLexer.tokens(of: sql + "\n").allSatisfy(\.isClosed)
      try #require((sqlite3_complete(sql + "\n;") == 1) == isClosed, "\(sql)")
      count += isClosed ? 1 : 0
    }
    #expect((2_000..<18_000).contains(count))
  }

  /// If SQLite reports an unrecognized token, the lexer finds an illegal one. If SQLite accepts the
  /// text, the lexer finds none.
  @Test func whatSQLiteCannotRead() throws {
    var database: OpaquePointer?
    #expect(sqlite3_open(":memory:", &database) == SQLITE_OK)
    defer { sqlite3_close(database) }
    var random = SeededRandom(seed: 4)
    let alphabet = [
      "'", "''", "\"", "[", "]", "x'", "1", "2", "12", ".", "?", ":a", "@", "$b", " ", ",", "+",
      "-", "/*", "*/", "--", "\n", "!", "a", "(", ")", "'a'", "||",
    ]
    var (read, unread) = (0, 0)
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 1...7, using: &random)).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
      }.joined()
      var statement: OpaquePointer?
      let code = sqlite3_prepare_v2(database, "SELECT " + text, -1, &statement, nil)
      sqlite3_finalize(statement)
      let isLegal = SQLLexer.tokens(of: text).allSatisfy {
        $0.kind != .illegal && ($0.isClosed || $0.kind == .lineComment || $0.kind == .blockComment)
      }
      if code == SQLITE_OK {
        try #require(isLegal, "\(text)")
        read += 1
      } else if String(cString: sqlite3_errmsg(database)).hasPrefix("unrecognized token") {
        try #require(!isLegal, "\(text)")
        unread += 1
      }
    }
    #expect(read > 500 && unread > 2_000)
  }
}
