import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

private let c = Crate.columns

@Suite struct DocumentsTests {
  private func expect<E: QueryExpressible>(
    _ expression: E, _ sql: String, _ bindings: [QueryBinding] = [],
    gives values: [E.QueryValue.QueryOutput], sourceLocation: SourceLocation = #_sourceLocation
  ) throws where E.QueryValue.QueryOutput: Equatable {
    let prepared = expression.queryFragment.prepare()
    #expect(
      prepared.sql.replacing(#""crates"."#, with: "") == sql, sourceLocation: sourceLocation)
    #expect(prepared.bindings == bindings, sourceLocation: sourceLocation)
    let query = Crate.order(by: \.id).select { _ in expression }
    #expect(try query.fetchAll(crateDatabase()) == values, sourceLocation: sourceLocation)
  }

  @Test func extracts() throws {
    try expect(
      c.label.jsonExtract(\.text), #"json_extract("label", '$.text')"#, gives: ["it's", "two"])
    try expect(
      c.label.jsonExtract(\.isRed), #"json_extract("label", '$.isRed')"#, gives: [true, false])
    try expect(
      c.label.jsonExtract(\.codes[1]), #"json_extract("label", '$.codes[1]')"#, gives: [5, nil])
    try expect(
      c.label.jsonExtract(\.codes[-1]), #"json_extract("label", '$.codes[#-1]')"#, gives: [6, nil])
    try expect(
      c.label.jsonExtract(\.codes), #"json_extract("label", '$.codes')"#, gives: [[4, 5, 6], []])
    try expect(
      c.label.jsonExtract(\.maker.name), #"json_extract("label", '$.maker.name')"#,
      gives: ["Ada", nil])
    try expect(
      c.label.jsonExtract(\.maker), #"json_extract("label", '$.maker')"#,
      gives: [Maker(name: "Ada"), nil])
    try expect(
      c.label.jsonExtract(\.weight), #"json_extract("label", '$.weight')"#, gives: [1.5, nil])
    try expect(
      c.others.jsonExtract(\.[1].text), #"json_extract("others", '$[1].text')"#, gives: ["q", nil])
    try expect(
      c.sizes.jsonExtract(\.["y z"]), #"json_extract("sizes", '$."y z"')"#, gives: [2, nil])
    try expect(
      c.label.jsonExtract("$.maker.name", as: String.self),
      #"json_extract("label", '$.maker.name')"#, gives: ["Ada", nil])
    expectSQL(
      c.label.jsonExtract(\.maker.place), #"json_extract("crates"."label", '$.maker."a place"')"#)
    expectSQL(
      c.label.jsonExtract("$.it's", as: Int.self), #"json_extract("crates"."label", '$.it''s')"#)
  }

  @Test func lengths() throws {
    try expect(c.others.jsonArrayLength(), #"json_array_length("others")"#, gives: [2, 0])
    try expect(c.marks.jsonArrayLength(), #"json_array_length("marks")"#, gives: [1, nil])
    try expect(
      c.label.jsonArrayLength(\.codes), #"json_array_length("label", '$.codes')"#, gives: [3, 0])
    try expect(
      c.label.jsonArrayLength("$.nowhere"), #"json_array_length("label", '$.nowhere')"#,
      gives: [nil, nil])
  }

  @Test func edits() throws {
    try expect(
      c.marks.jsonSet(\.[0], 1).jsonSet(\.[1], 2), #"json_set("marks", '$[0]', ?, '$[1]', ?)"#,
      [.int(1), .int(2)], gives: [[1, 2], nil])
    try expect(
      c.marks.jsonSet(\.[0], c.id).jsonInsert(\.[0], 9).jsonReplace("$[5]", 9),
      #"json_replace(json_insert(json_set("marks", '$[0]', "id"), '$[0]', ?), '$[5]', ?)"#,
      [.int(9), .int(9)], gives: [[1], nil])
    try expect(
      c.label.jsonReplace(\.maker, Maker(name: "Bo")).jsonExtract(\.maker),
      #"json_extract(json_replace("label", '$.maker', json(?)), '$.maker')"#,
      [.text(#"{"name":"Bo"}"#)], gives: [Maker(name: "Bo"), nil])
    try expect(
      c.label.jsonSet(\.isRed, true).jsonSet(\.text, "t").jsonSet(\.codes, [9]),
      #"json_set("label", '$.isRed', json(?), '$.text', ?, '$.codes', json(?))"#,
      [.text("true"), .text("t"), .text("[9]")],
      gives: [
        Label(text: "t", isRed: true, codes: [9], maker: Maker(name: "Ada"), weight: 1.5),
        Label(text: "t", isRed: true, codes: [9]),
      ])
    try expect(
      c.sizes.jsonRemove(\.["x"]), #"json_remove("sizes", '$.x')"#, gives: [["y z": 2], [:]])
    try expect(
      c.label.jsonRemove(\.maker, \.weight), #"json_remove("label", '$.maker', '$.weight')"#,
      gives: [Label(text: "it's", isRed: true, codes: [4, 5, 6]), Label(text: "two")])
    try expect(
      c.sizes.jsonRemove("$.x", "$.q"), #"json_remove("sizes", '$.x', '$.q')"#,
      gives: [["y z": 2], [:]])
    try expect(
      c.sizes.jsonPatch(["x": nil, "n": 5] as [String: Int?]), #"json_patch("sizes", ?)"#,
      [.text(#"{"n":5,"x":null}"#)], gives: [["y z": 2, "n": 5], ["n": 5]])
    try expect(
      c.sizes.jsonPatch(c.sizes), #"json_patch("sizes", "sizes")"#,
      gives: [["x": 1, "y z": 2], [:]])
  }

  @Test func appends() throws {
    try expect(
      c.marks.jsonAppend(8).jsonAppend(c.id), #"json_insert("marks", '$[#]', ?, '$[#]', "id")"#,
      [.int(8)], gives: [[7, 8, 1], nil])
    try expect(
      c.label.jsonAppend(\.codes, 1).jsonExtract(\.codes),
      #"json_extract(json_insert("label", '$.codes[#]', ?), '$.codes')"#, [.int(1)],
      gives: [[4, 5, 6, 1], [1]])
    let arrays = Crate.order(by: \.id).select {
      (
        $0.others.jsonArrayInsert(Label(text: "new"), at: 1), $0.marks.jsonArrayInsert(0, at: 0),
        $0.marks.jsonArrayInsert($0.id, at: 5)
      )
    }
    let rows = try arrays.fetchAll(crateDatabase())
    #expect(rows.map { $0.0.map(\.text) } == [["p", "new", "q"], ["new"]])
    #expect(rows[0].0[2].isRed)
    #expect(rows.map(\.1) == [[0, 7], nil] && rows.map(\.2) == [[7, 1], nil])
  }

  @Test func inUpdates() throws {
    let db = try crateDatabase()
    try Crate.find(1).update {
      $0.marks = $0.marks.jsonAppend(3)
      $0.label = $0.label.jsonSet(\.text, "new")
    }.execute(db)
    let crate = try #require(try Crate.find(1).fetchOne(db))
    #expect(crate.marks == [7, 3] && crate.label.text == "new" && crate.label.isRed)
  }

  @Test func each() throws {
    let db = try crateDatabase()
    let elements = c.marks.jsonEach()
    expectSQL(
      Crate.join(elements) { crate, mark in mark.value > crate.id },
      """
      SELECT "crates"."id", "crates"."label", "crates"."others", "crates"."sizes", \
      "crates"."marks", "json_each"."key", "json_each"."value" FROM "crates" \
      JOIN json_each("crates"."marks") ON ("json_each"."value" > "crates"."id")
      """)
    enum Code: AliasName {}
    let codes = Crate.join(c.label.jsonExtract(\.codes).jsonEach(as: Code.self)) { _, code in
      code.value >= 5
    }.order { crate, code in (crate.id, code.key.desc()) }.select { ($0.id, $1.key, $1.value) }
    #expect(codes.query.fragment.prepare().sql.contains(#" AS "codes" ON ("codes"."value" >= ?)"#))
    #expect(try codes.fetchAll(db).map { [$0.0, $0.1, $0.2] } == [[1, 2, 6], [1, 1, 5]])
    let missing = Crate.leftJoin(c.label.jsonEach(\.codes)) { _, code in code.value > 4 }
      .order { crate, code in (crate.id, code.key) }.select { ($0.id, $1.value) }
    #expect(try missing.fetchAll(db).map(\.1) == [5, 6, nil])
    let labels = Crate.join(c.others.jsonEach()) { _, label in
      label.value.jsonExtract(\.isRed) ?? false
    }
    #expect(try labels.fetchAll(db).map(\.1.value) == [Label(text: "q", isRed: true)])
    let sizes = Crate.join(c.sizes.jsonEach()) { _, _ in #sql("1") }
    let members = try sizes.fetchAll(db).map(\.1)
    #expect(members.map(\.key) == ["x", "y z"] && members.map(\.value) == [1, 2])
  }

  /// Conditions declared for all elements can be added to the elements of one document, whose
  /// columns are kept.
  @Test func eachUnderConditions() throws {
    let db = try crateDatabase()
    let large = JSONElement<Int, Int>.where { $0.value > 3 }
    let found = #bind([2, 5, 4], as: [Int].JSONRepresentation.self).jsonEach() + large
    expectSQL(
      found,
      """
      SELECT "json_each"."key", "json_each"."value" FROM json_each(?) \
      WHERE ("json_each"."value" > ?)
      """, [.text("[2,5,4]"), .int(3)])
    #expect(try found.fetchAll(db).map(\.value) == [5, 4])
  }

  @Test func eachByItself() throws {
    let db = try crateDatabase()
    let ids = #bind([2, 5], as: [Int].JSONRepresentation.self).jsonEach().select(\.value)
    let crates = Crate.where { $0.id.in(ids) }.select(\.id)
    expectSQL(
      crates,
      """
      SELECT "crates"."id" FROM "crates" \
      WHERE ("crates"."id" IN (SELECT "json_each"."value" FROM json_each(?)))
      """, [.text("[2,5]")])
    #expect(try crates.fetchAll(db) == [2])
    let tree = #bind(Maker(name: "Ada"), as: Maker.JSONRepresentation.self).jsonTree()
    let nodes = try tree.fetchAll(db)
    #expect(nodes.map(\.key) == [nil, "name"] && nodes.map(\.type) == ["object", "text"])
    #expect(nodes.map(\.value) == [#"{"name":"Ada"}"#, "Ada"])
    #expect(nodes.map(\.fullkey) == ["$", "$.name"] && nodes.map(\.path) == ["$", "$"])
    enum Node: AliasName {}
    let node = Crate.join(c.label.jsonTree(as: Node.self)) { _, node in
      node.fullkey == "$.maker.name"
    }
    #expect(try node.fetchAll(db).map(\.1.value) == ["Ada"])
  }

  @Test func binaryFunctions() throws {
    func needs(_ name: String, _ expression: some QueryExpressible) throws {
      try expectNeeds(name, Version(3, 45), expression)
    }
    let tags = Sample.columns.tags
    try needs("jsonb()", tags.jsonb())
    try needs("jsonb_set()", tags.jsonbSet(\.[0], "z"))
    try needs("jsonb_insert()", tags.jsonbAppend("z"))
    try needs("jsonb_replace()", tags.jsonbReplace("$[0]", "z"))
    try needs("jsonb_remove()", tags.jsonbRemove(\.[0]))
    try needs("jsonb_patch()", tags.jsonbPatch(["z"]))
    try needs(
      "jsonb_extract()",
      Sample.columns.address.jsonbExtract("$.lines", as: [String].JSONBRepresentation.self))
    try needs("jsonb_group_array()", tags.jsonbGroupArray())
    try needs("jsonb_group_array()", Sample.columns.jsonbGroupArray())
    try needs("jsonb()", Sample.columns.jsonbObject())
    expectSQL(tags.jsonbSet(\.[0], "z"), #"jsonb_set("samples"."tags", '$[0]', ?)"#, [.text("z")])
  }
}
