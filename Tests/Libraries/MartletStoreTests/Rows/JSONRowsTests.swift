import MartletJSON
import MartletQueryBuilder
import MartletSQLite
import Testing

@testable import MartletStore

@Suite("Rows as JSON")
struct JSONRowsTests {
  private let connection: Connection

  init() throws { connection = try Connection(location: .inMemory) }

  /// The JSON of the first row of `sql`, whose columns are `columns`.
  private func row(_ sql: String, _ columns: ResultColumn...) throws -> String {
    let statement = try connection.prepare(sql: sql)
    #expect(try statement.step())
    let buffer = ByteBuffer()
    JSONRows(columns).write(statement, into: buffer)
    let text = String(decoding: buffer.bytes, as: UTF8.self)
    _ = try JSONValue.parse(text)
    return text
  }
  private func value(_ sql: String, _ kind: ColumnKind) throws -> String {
    let text = try row("SELECT \(sql)", ResultColumn("v", kind: kind))
    return String(text.dropFirst(#"{"v":"#.count).dropLast())
  }

  @Test("Each column kind has its JSON form")
  func kinds() throws {
    #expect(try value("0", .integer) == "0")
    #expect(try value("-9223372036854775808", .integer) == "-9223372036854775808")
    #expect(try value("1", .boolean) == "true")
    #expect(try value("0", .boolean) == "false")
    #expect(try value("7", .boolean) == "true")
    #expect(try value("0.5", .real) == "0.5")
    #expect(try value("0.5", .stored) == "0.5")
    #expect(try value("7", .stored) == "7")
    #expect(try value("'7'", .stored) == #""7""#)
    #expect(try value("x'00'", .stored) == #""AA==""#)
    #expect(try value("NULL", .stored) == "null")
    #expect(try value("9e999", .real) == "null")
    #expect(try value("'a\"b\\c' || char(10) || 'é'", .text) == #""a\"b\\c\né""#)
    #expect(try value("''", .text) == #""""#)
    #expect(try value("'[1,{\"a\":null}]'", .json) == #"[1,{"a":null}]"#)
    #expect(try value("x''", .blob) == #""""#)
    #expect(try value("x'00ff10'", .blob) == #""AP8Q""#)
    #expect(try value("x'00ff'", .blob) == #""AP8=""#)
    #expect(try value("x'00'", .blob) == #""AA==""#)
  }

  @Test("NULL is null for every column kind")
  func nulls() throws {
    let kinds: [ColumnKind] = [
      .integer, .boolean, .real, .text, .json, .blob, .instant, .labels(["a"]),
      .marked(before: "<", after: ">"),
    ]
    for kind in kinds { #expect(try value("NULL", kind) == "null") }
  }

  @Test("An instant is written as RFC 3339, a date without a time unchanged")
  func instants() throws {
    #expect(try value("'2026-11-20 15:36:00.123'", .instant) == #""2026-11-20T15:36:00.123Z""#)
    #expect(try value("'2026-11-20'", .instant) == #""2026-11-20""#)
    #expect(try value("'whenever'", .instant) == #""whenever""#)
  }

  @Test("A label is written as its word, a number without a word as a number")
  func labels() throws {
    let kind = ColumnKind.labels(["none", "lo\"w"])
    #expect(try value("1", kind) == #""lo\"w""#)
    #expect(try value("2", kind) == "2")
    #expect(try value("-1", kind) == "-1")
  }

  @Test("Marks are replaced, and other text is escaped for HTML")
  func marks() throws {
    let kind = ColumnKind.marked(before: "<b class=\"x\">", after: "</b>")
    #expect(
      try value("'a <i> & ' || CAST(x'f8' AS TEXT) || 'x\"y' || CAST(x'f9' AS TEXT) || '''z'", kind)
        == #""a &lt;i&gt; &amp; <b class=\"x\">x&quot;y</b>&#39;z""#)
  }

  @Test("Each invalid UTF-8 sequence becomes U+FFFD, as in a String")
  func notUTF8() throws {
    for hex in [
      "ff", "61ff62", "e282", "e28261", "c0af", "eda080", "f4908080", "80", "c3a4ff",
      "6161616161616161ff",
    ] {
      let bytes = stride(from: 0, to: hex.utf8.count, by: 2).map { place in
        UInt8(hex.dropFirst(place).prefix(2), radix: 16)!
      }
      let repaired = String(decoding: bytes, as: UTF8.self)
      #expect(try value("CAST(x'\(hex)' AS TEXT)", .text) == "\"\(repaired)\"", "\(hex)")
      #expect(try value("CAST(x'\(hex)' AS TEXT)", .stored) == "\"\(repaired)\"", "\(hex)")
      #expect(try value("CAST(x'\(hex)' AS TEXT)", .instant) == "\"\(repaired)\"", "\(hex)")
      #expect(
        try value("json_array(CAST(x'\(hex)' AS TEXT))", .json) == "[\"\(repaired)\"]", "\(hex)")
    }
    #expect(try value("CAST('a\"' || x'ff' || char(10) AS TEXT)", .text) == #""a\"\#u{FFFD}\n""#)
  }

  @Test("Text of an instant's length that is not an instant still gives valid JSON")
  func instantsThatAreNone() throws {
    #expect(try value("'2026-11-20 15:36:00.123'", .instant) == #""2026-11-20T15:36:00.123Z""#)
    #expect(
      try value("'\"\"\"\"\"\"\"\"\"\" \"\"\"\"\"\"\"\"\"\"\"\"'", .instant)
        == "\"" + String(repeating: #"\""#, count: 10) + " "
        + String(repeating: #"\""#, count: 12) + "\"")
    #expect(
      try value("CAST('2026-11-20 15:36:00.12' || x'ff' AS TEXT)", .instant)
        == "\"2026-11-20 15:36:00.12\u{FFFD}\"")
  }

  @Test("Groups are nested objects, and hidden columns are omitted")
  func groups() throws {
    let text = try row(
      "SELECT 1, 2, 3, 4, 5, 6",
      ResultColumn("a", kind: .integer),
      ResultColumn("b", in: ["x", "y"], kind: .integer),
      ResultColumn("c", in: ["x"], kind: .integer),
      ResultColumn("", kind: .hidden),
      ResultColumn("d", in: ["z"], kind: .integer),
      ResultColumn("e", kind: .integer))
    #expect(text == #"{"a":1,"x":{"y":{"b":2},"c":3},"z":{"d":5},"e":6}"#)
  }

  @Test("A group can be first, last, or the only member")
  func groupsAtTheEnds() throws {
    #expect(
      try row("SELECT 1", ResultColumn("a", in: ["g"], kind: .integer)) == #"{"g":{"a":1}}"#)
    #expect(try row("SELECT 1", ResultColumn("", kind: .hidden)) == "{}")
  }
}
