import MartletQueryBuilder
import Testing

private let s = Sample.columns

/// Hand-written SQL gets parentheses as an operand, unless it is a single name, literal or call.
@Suite struct OperandTests {
  /// ```swift
  /// !$0.isOn && #sql("a OR b")
  /// // ((NOT "samples"."isOn") AND (a OR b))
  /// ```
  @Test func precedence() throws {
    try expect(
      s.isOn && #sql(#""count" < 0 OR "count" = 0"#),
      #"("isOn" AND ("count" < 0 OR "count" = 0))"#, gives: [false, false, true])
    try expect(
      #sql(#""count" < 0 OR "count" = 0"#) && s.isOn,
      #"(("count" < 0 OR "count" = 0) AND "isOn")"#, gives: [false, false, true])
    try expect(#sql("1 + 1", as: Int.self) * 2, "((1 + 1) * ?)", [.int(2)], gives: [4, 4, 4])
    try expect(-#sql("1 + 1", as: Int.self), "(-(1 + 1))", gives: [-2, -2, -2])
    try expect(!#sql("0 OR 1", as: Bool.self), "(NOT (0 OR 1))", gives: [false, false, false])
    expectSQL(
      Sample.where { _ in #sql("a OR b") }.where { $0.isOn }.select(\.id),
      #"SELECT "samples"."id" FROM "samples" WHERE (a OR b) AND "samples"."isOn""#)
    expectSQL(
      Sample.where {
        #sql("a OR b"); $0.isOn
      }.select(\.id),
      #"SELECT "samples"."id" FROM "samples" WHERE (a OR b) AND "samples"."isOn""#)
    expectSQL(
      Sample.where { _ in #sql("a OR b") }.select(\.id),
      #"SELECT "samples"."id" FROM "samples" WHERE a OR b"#)
  }

  @Test func plainOnesStayBare() {
    expectSQL(s.id == #sql("1"), #"("samples"."id" = 1)"#)
    expectSQL(s.name == #sql("upper('a b')"), #"("samples"."name" = upper('a b'))"#)
    expectSQL(s.name == #sql("'a OR b'"), #"("samples"."name" = 'a OR b')"#)
    expectSQL(s.id == #sql("(1 + 1)"), #"("samples"."id" = (1 + 1))"#)
    expectSQL(s.id == #sql("\(s.count)"), #"("samples"."id" = "samples"."count")"#)
    expectSQL(s.id == #sql("\(s.count) + 1"), #"("samples"."id" = ("samples"."count" + 1))"#)
  }

  /// `NOT(a)` looks like a call, and two adjacent calls look like one.
  @Test func whatOnlyLooksLikeACall() throws {
    try expect(
      #sql("not(1)", as: Bool.self) == true, "((not(1)) = ?)", [.bool(true)],
      gives: [false, false, false])
    expectSQL(s.id == #sql("\"a\"'b'"), #"("samples"."id" = ("a"'b'))"#)
    expectSQL(s.id == #sql("a.\(raw: "b")"), #"("samples"."id" = a.b)"#)
    expectSQL(s.name == #sql("'--'"), #"("samples"."name" = '--')"#)
    expectSQL(s.name == #sql("[a b]"), #"("samples"."name" = [a b])"#)
  }

  /// An unclosed comment at the end does not hide the SQL after it.
  @Test func openComments() throws {
    try expect(
      #sql("1 -- one", as: Int.self) + 1, "((1 -- one\n) + ?)", [.int(1)], gives: [2, 2, 2])
    try expect(
      #sql("1 \(raw: "/* one")", as: Int.self) + 1, "((1 /* one*/) + ?)", [.int(1)],
      gives: [2, 2, 2])
  }

  /// The type of `#sql` is inferred from the other side.
  @Test func untyped() throws {
    try expect(s.count < #sql("1"), #"("count" < 1)"#, gives: [false, true, true])
    try expect(s.level ?? #sql("9"), #"coalesce("level", 9)"#, gives: [2, 9, 2])
    expectSQL(s.level.eq(#sql("2")), #"("samples"."level" = 2)"#)
    expectSQL(
      Sample.order { _ in #sql("random()") }.select(\.id),
      #"SELECT "samples"."id" FROM "samples" ORDER BY random()"#)
  }

  /// Optional values, and Swift values used as expressions.
  @Test func values() throws {
    let missing: Int? = nil
    expectSQL(#sql("SELECT \(bind: missing)", as: Int?.self), "SELECT ?", [.null])
    try expect(
      s.level.is(#bind(missing)), #"("level" IS ?)"#, [.null], gives: [false, true, false])
    try expect("xbob".instr(s.name), #"instr(?, "name")"#, [.text("xbob")], gives: [0, 2, 0])
    try expect(
      2.in([1, 2]), "(? IN (?, ?))", [.int(2), .int(1), .int(2)], gives: [true, true, true])
    try expect(
      3.zeroblob(), "zeroblob(?)", [.int(3)], gives: Array(repeating: [0, 0, 0], count: 3))
    expectSQL(
      Sample.select(\.id).contains(s.count),
      #"("samples"."count" IN (SELECT "samples"."id" FROM "samples"))"#)
  }
}
