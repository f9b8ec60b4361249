import SwiftSyntax
import Testing

@testable import MartletQueryMacros

/// The positions of the issues in a text, in bytes.
private func issues(_ pieces: String...) -> [Int] {
  var check = SQLCheck()
  var position = AbsolutePosition(utf8Offset: 0)
  for piece in pieces {
    if piece.hasPrefix("\\(") {
      check.interpolate(label: piece.contains("raw:") ? "raw" : nil, at: position)
    } else {
      check.read(sourceCharacters(piece, pounds: 0, from: position))
    }
    position = position.advanced(by: piece.utf8.count)
  }
  return check.finish().map(\.position.utf8Offset)
}

@Suite struct SQLCheckTests {
  @Test(arguments: [
    "", "SELECT 1", "datetime('subsec')", "'it''s'", #"'"'"#, #"\"a\"\"b\""#, "`a``b`", "[a'b(]",
    "(a, (b))", "-- don't (\nSELECT 1", "/* ' ( ? */ 1", "'? :a @b $c'", "a->>'$.b'", "a$b",
    "x'0a'", "1 -- open '", "a ->> '$[0]'", "über$1",
  ]) func balanced(_ sql: String) { #expect(issues(sql) == []) }

  @Test(arguments: [
    ("'a", 0), ("a = 'it''s", 4), (#"a \"b"#, 2), ("`a", 0), ("[a", 0), ("a]", 1), ("(a", 0),
    ("a)", 1), ("((a)", 0), ("/* a", 0), ("1 /* '", 2),
  ]) func unbalanced(_ sql: String, at place: Int) { #expect(issues(sql) == [place]) }

  @Test(arguments: [
    ("a = ?", 4), ("a = ?1", 4), ("a = :b", 4), ("a = @b", 4), ("a = $b", 4), ("'' ?", 3),
    ("a -> $.b", 5), ("a -> $[0]", 5),
  ]) func parameters(_ sql: String, at place: Int) { #expect(issues(sql) == [place]) }

  @Test func placesAreThoseOfTheSource() {
    #expect(issues(#"\n\t\u{1F600} ?"#) == [14])
    #expect(issues("ä ?") == [3])
  }

  @Test func interpolationInsideQuotes() {
    #expect(issues("'a ", #"\(x)"#, "'") == [3])
    #expect(issues("'a ", #"\(raw: x)"#, "'") == [])
    #expect(issues("a = ", #"\(x)"#, " AND b") == [])
  }

  @Test func quotesReachOverInterpolations() {
    #expect(issues("'", #"\(raw: x)"#, " ?'") == [])
    #expect(issues("(", #"\(x)"#, ")") == [])
  }
}
