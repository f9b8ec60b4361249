import MartletSQLTokens
import Testing

/// The tokens of a text, each as its kind and text, followed by `…` if it is unterminated.
func lexed(_ sql: String) -> [String] {
  let bytes = Array(sql.utf8)
  return SQLLexer.tokens(of: bytes).map {
    "\($0.kind) \(String(decoding: bytes[$0.range], as: UTF8.self))\($0.isClosed ? "" : "…")"
  }
}

@Suite struct SQLLexerTests {
  @Test(arguments: [
    ("", []), (" \n\t", []), ("a", ["word a"]), ("über$1", ["word über$1"]),
    ("'it''s'", ["string 'it''s'"]), (#""a""b""#, [#"quotedName "a""b""#]),
    ("`a``b`", ["quotedName `a``b`"]), ("[a'b(]]", ["quotedName [a'b(]", "illegal ]"]),
    ("'a''", ["string 'a''…"]), ("[a", ["quotedName [a…"]), ("x'0a'", ["blob x'0a'"]),
    ("X'0'", ["illegal X'0'"]), ("x'0", ["blob x'0…"]), ("x 'a'", ["word x", "string 'a'"]),
    ("-- ' (\n1", ["lineComment -- ' (\n", "number 1"]), ("-- '", ["lineComment -- '…"]),
    ("/* ' */1", ["blockComment /* ' */", "number 1"]), ("/*/", ["blockComment /*/…"]),
    ("/***/", ["blockComment /***/"]), ("/* **", ["blockComment /* **…"]),
    ("a-1", ["word a", "mark -", "number 1"]), ("1.5e-3", ["number 1.5e-3"]),
    (".5", ["number .5"]), ("1.", ["number 1."]), ("0xFF", ["number 0xFF"]),
    ("1_000", ["number 1_000"]), ("12ab", ["illegal 12ab"]), ("1e", ["illegal 1e"]),
    ("? ?1", ["parameter ?", "parameter ?1"]), ("?a", ["parameter ?", "word a"]),
    (":a@b$c", ["parameter :a", "parameter @b$c"]),
    ("$a::b(c)", ["parameter $a::b(c)"]), ("$a(b c", ["illegal $a(b", "word c"]),
    (": $.a", ["illegal :", "illegal $", "mark .", "word a"]), ("a:b", ["word a", "parameter :b"]),
    ("a->>'$.b'", ["word a", "mark ->>", "string '$.b'"]),
    ("a->b", ["word a", "mark ->", "word b"]),
    ("<=<><<>=>>==!=||", "<= <> << >= >> == != ||".split(separator: " ").map { "mark \($0)" }),
    ("!^{\\\0", ["illegal !", "illegal ^", "illegal {", "illegal \\", "illegal \0"]),
  ]) func tokens(_ sql: String, _ expected: [String]) { #expect(lexed(sql) == expected) }

  @Test func holes() {
    let bytes = Array("a'".utf8) + [SQLLexer.hole] + Array("'b".utf8) + [SQLLexer.hole]
    #expect(SQLLexer.tokens(of: bytes).map(\.kind) == [.word, .string, .word, .hole])
    #expect(SQLLexer.tokens(of: Array("x'".utf8) + [SQLLexer.hole] + [39]).map(\.kind) == [.blob])
  }

  @Test(arguments: [
    ("SELECT 1", true), ("(select 1)", true), ("a AND(Select 1)", true), ("'SELECT'", false),
    ("\"SELECT\"", false), ("-- SELECT", false), ("selected", false), ("mySELECT", false),
    ("", false),
  ]) func words(_ sql: String, _ has: Bool) { #expect(SQLLexer.has("SELECT", in: sql) == has) }
}
