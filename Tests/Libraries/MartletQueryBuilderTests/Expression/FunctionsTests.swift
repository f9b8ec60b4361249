import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

private let s = Sample.columns

@Suite struct FunctionsTests {
  @Test func patterns() throws {
    try expect(
      s.name.contains("B"), #"("name" LIKE ?)"#, [.text("%B%")], gives: [false, true, false])
    try expect(
      s.name.hasSuffix("0%"), #"("name" LIKE ? ESCAPE ?)"#, [.text(#"%0\%"#), .text(#"\"#)],
      gives: [true, false, false])
    try expect(
      s.name.like("%!%", escape: "!"), #"("name" LIKE ? ESCAPE ?)"#, [.text("%!%"), .text("!")],
      gives: [true, false, false])
    try expect(
      s.name.glob("[A-Z]*"), #"("name" GLOB ?)"#, [.text("[A-Z]*")], gives: [true, false, false])
    try expect(
      s.name.like(s.nick.ifnull("_O") + "%"), #"("name" LIKE (ifnull("nick", ?) || ?))"#,
      [.text("_O"), .text("%")], gives: [false, true, true])
    try expect(s.name.glob(s.name), #"("name" GLOB "name")"#, gives: [true, true, true])
  }

  /// `%` and `_` in a text from the database are escaped too.
  @Test func patternsFromExpressions() throws {
    let text = #bind("100%") as SQLQueryExpression<String>
    let escaped = #"replace(replace(replace(?, '\', '\\'), '%', '\%'), '_', '\_')"#
    try expect(
      s.name.contains(text), #"("name" LIKE ('%' || \#(escaped) || '%') ESCAPE '\')"#,
      [.text("100%")], gives: [true, false, false])
    try expect(
      s.name.hasSuffix(text), #"("name" LIKE ('%' || \#(escaped)) ESCAPE '\')"#, [.text("100%")],
      gives: [true, false, false])
    let under = #bind("a_n") as SQLQueryExpression<String>
    try expect(
      s.name.hasPrefix(under), #"("name" LIKE (\#(escaped) || '%') ESCAPE '\')"#, [.text("a_n")],
      gives: [false, false, false])
    try expect(
      s.nick.hasPrefix(s.nick.substr(1, 2)).isNot(false),
      """
      (("nick" LIKE (\(escaped.replacing("?", with: #"substr("nick", ?, ?)"#)) || '%') \
      ESCAPE '\\') IS NOT ?)
      """, [.int(1), .int(2), .bool(false)], gives: [true, true, true])
  }

  @Test func text() throws {
    try expect(s.name.length(), #"length("name")"#, gives: [8, 3, 5])
    try expect(s.nick.length(), #"length("nick")"#, gives: [5, nil, 5])
    try expect(s.name.octetLength(), #"length(CAST("name" AS BLOB))"#, gives: [8, 3, 6])
    try expect(s.bytes.octetLength(), #"length(CAST("bytes" AS BLOB))"#, gives: [2, 0, 1])
    try expect(s.name.upper(), #"upper("name")"#, gives: ["ANN 100%", "BOB", "ŽOFIE"])
    try expect(s.nick.lower(), #"lower("nick")"#, gives: ["annie", nil, "Žofie"])
    try expect(
      s.name.replace("n", "m"), #"replace("name", ?, ?)"#, [.text("n"), .text("m")],
      gives: ["Amm 100%", "bob", "Žofie"])
    try expect(
      s.name.replace(s.name.substr(1, 1), "*"), #"replace("name", substr("name", ?, ?), ?)"#,
      [.int(1), .int(1), .text("*")], gives: ["*nn 100%", "*o*", "*ofie"])
    try expect(
      s.name.substr(2), #"substr("name", ?)"#, [.int(2)], gives: ["nn 100%", "ob", "ofie"])
    try expect(
      s.name.substr(s.id, 2), #"substr("name", "id", ?)"#, [.int(2)], gives: ["An", "ob", "fi"])
    try expect(
      s.name.trim("Ae"), #"trim("name", ?)"#, [.text("Ae")], gives: ["nn 100%", "bob", "Žofi"])
    try expect(
      s.name.ltrim("b"), #"ltrim("name", ?)"#, [.text("b")], gives: ["Ann 100%", "ob", "Žofie"])
    try expect(
      s.name.rtrim("b"), #"rtrim("name", ?)"#, [.text("b")], gives: ["Ann 100%", "bo", "Žofie"])
    try expect(
      (s.name + " ").trim(), #"trim(("name" || ?))"#, [.text(" ")],
      gives: ["Ann 100%", "bob", "Žofie"])
    try expect(s.name.instr("o"), #"instr("name", ?)"#, [.text("o")], gives: [0, 2, 2])
    try expect(s.nick.instr(s.name), #"instr("nick", "name")"#, gives: [0, nil, 1])
    try expect(s.name.unicode(), #"unicode("name")"#, gives: [65, 98, 381])
    try expect(s.nick.quote(), #"quote("nick")"#, gives: ["'annie'", "NULL", "'Žofie'"])
    try expect(s.bytes.hex(), #"hex("bytes")"#, gives: ["01FF", "", "00"])
    try expect(
      s.name.collate(.nocase) == "BOB", #"(("name" COLLATE "NOCASE") = ?)"#, [.text("BOB")],
      gives: [false, true, false])
  }

  @Test func numbers() throws {
    try expect(s.count.abs(), #"abs("count")"#, gives: [5, 3, 0])
    try expect(s.ratio.sign(), #"sign("ratio")"#, gives: [1, -1, 1])
    try expect(s.level.sign(), #"sign("level")"#, gives: [1, nil, 1])
    try expect(s.ratio.round(), #"round("ratio")"#, gives: [3, -1, 1])
    try expect(s.ratio.round(1), #"round("ratio", ?)"#, [.int(1)], gives: [2.5, -1.3, 0.5])
    try expect(s.id.zeroblob(), #"zeroblob("id")"#, gives: [[0], [0, 0], [0, 0, 0]])
    try expect(zeroblob(1), "zeroblob(?)", [.int(1)], gives: [[0], [0], [0]])
    let random = Sample.select { ($0.id.randomblob().length(), randomblob(4).length()) }
    #expect(
      try random.fetchAll(sampleDatabase()).map { [$0.0, $0.1] } == [[1, 4], [2, 4], [3, 4]])
  }

  @Test func hints() throws {
    try expect(s.isOn.likely(), #"likely("isOn")"#, gives: [true, false, true])
    try expect(s.isOn.unlikely(), #"unlikely("isOn")"#, gives: [true, false, true])
    try expect(s.isOn.likelihood(0.25), #"likelihood("isOn", 0.25)"#, gives: [true, false, true])
    try expect(
      s.isOn.likelihood(0.00001), #"likelihood("isOn", 0.000010000000000)"#,
      gives: [true, false, true])
    #expect(throws: SQLiteError.self) {
      try Sample.where { $0.isOn.likelihood(2) }.fetchAll(sampleDatabase())
    }
  }

  @Test func newerFunctions() throws {
    try expectNeeds("unhex()", Version(3, 41), s.name.unhex())
    expectSQL(s.name.unhex("-"), #"unhex("samples"."name", ?)"#, [.text("-")])
  }

  /// The requirement also survives in a trigger, whose SQL is printed before the connection sees
  /// it.
  @Test func newerFunctionsInTriggers() throws {
    let trigger = Sample.createTemporaryTrigger(
      after: .insert { new in Sample.find(new.id).update { $0.nick = new.name.unhex().hex() } })
    #expect(trigger.query.fragment.requirements == [Requirement("unhex()", since: 3, 41)])
    if Version.library < Version(3, 41) {
      #expect(throws: SQLiteError.self) { try trigger.execute(sampleDatabase()) }
    }
  }
}
