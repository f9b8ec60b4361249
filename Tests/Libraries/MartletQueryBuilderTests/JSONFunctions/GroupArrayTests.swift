import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

private let s = Sample.columns

@Suite struct GroupArrayTests {
  @Test func columns() throws {
    try expect(
      s.name.jsonGroupArray(), #"json_group_array("name")"#, over: ["Ann 100%", "bob", "Žofie"])
    try expect(s.level.jsonGroupArray(), #"json_group_array("level")"#, over: [2, nil, 2])
    try expect(
      s.level.jsonGroupArray(distinct: true, filter: s.isOn),
      #"json_group_array(DISTINCT "level") FILTER (WHERE "isOn")"#, over: [2])
    try expect(
      s.isOn.jsonGroupArray(),
      #"json_group_array(json(CASE "isOn" WHEN 0 THEN 'false' WHEN 1 THEN 'true' END))"#,
      over: [true, false, true])
    try expect(s.due.jsonGroupArray(), #"json_group_array("due")"#, over: [sampleDate, nil, nil])
    try expect(
      s.unix.jsonGroupArray(), #"json_group_array("unix")"#,
      over: Array(repeating: Date(timeIntervalSince1970: 1_772_286_330), count: 3))
    try expect(
      s.bytes.jsonGroupArray(),
      #"json_group_array(CASE WHEN "bytes" IS NOT NULL THEN hex("bytes") END)"#,
      over: [[1, 255], [], [0]])
    try expect(
      s.tags.jsonGroupArray(), #"json_group_array(json("tags"))"#,
      over: [["x", "y\""], [], ["z"]])
    try expectNeeds(
      "ORDER BY in an aggregate", Version(3, 44), s.name.jsonGroupArray(order: s.id.desc()))
  }

  /// Every kind of column is read back equal from a JSON object, and is represented in it as JSON.
  @Test func wholeRows() throws {
    let db = try sampleDatabase()
    let rows = try Sample.order(by: \.id).fetchAll(db)
    let objects = try Sample.order(by: \.id).select { $0.jsonObject() }.fetchAll(db)
    #expect(rounded(objects) == rounded(rows))
    let array = try Sample.select { $0.jsonGroupArray() }.fetchOne(db)
    #expect(rounded(array ?? []) == rounded(rows))
    let some = try Sample.select { $0.jsonGroupArray(filter: $0.id > 1) }.fetchOne(db)
    #expect(rounded(some ?? []) == rounded(Array(rows[1...])))
    let text = try #require(
      try Sample.find(1).select { #sql("\($0.jsonObject())", as: String.self) }.fetchOne(db))
    #expect(text.hasPrefix(#"{"id":1,"name":"Ann 100%","nick":"annie","count":5,"level":2,"#))
    #expect(text.contains(#""isOn":true,"#) && text.contains(#""tags":["x","y\""],"#))
    // Rows are bound in the representation that they are read from.
    let bound = try Values(#bind(rows, as: JSONArray<Sample>.self)).fetchOne(db)
    #expect(bound == rows)
    #expect(try Values(#bind(rows[0], as: JSONRowObject<Sample>.self)).fetchOne(db) == rows[0])
    expectSQL(
      Tag.columns.jsonObject(), #"json_object('title', "tags"."title")"#)
  }

  /// SQLite writes a REAL in JSON with fifteen digits, so a Julian day is exact only to the
  /// millisecond.
  private func rounded(_ rows: [Sample]) -> [Sample] {
    rows.map { row in
      var row = row
      row.julian = Date(
        timeIntervalSince1970: (row.julian.timeIntervalSince1970 * 1000).rounded() / 1000)
      return row
    }
  }

  @Test func groups() throws {
    let db = try Connection(location: .inMemory)
    try db.execute("CREATE TABLE parcels (id INTEGER PRIMARY KEY, width REAL, height REAL)")
    let parcel = Parcel(id: 1, size: Size(width: 2, height: nil))
    try Parcel.insert { parcel }.execute(db)
    expectSQL(
      Parcel.columns.jsonObject(),
      """
      json_object('id', "parcels"."id", \
      'size', json_object('width', "parcels"."width", 'height', "parcels"."height"))
      """)
    #expect(try Parcel.select { $0.jsonGroupArray() }.fetchAll(db) == [[parcel]])
    let bound = try Values(#bind([parcel], as: JSONArray<Parcel>.self)).fetchOne(db)
    #expect(bound == [parcel])
  }

  @Test func outerJoins() throws {
    let db = try sampleDatabase()
    enum Next: AliasName {}
    let query = Sample.leftJoin(Sample.as(Next.self)) { $1.id == $0.id + 1 }
      .order { a, _ in a.id }.group { a, _ in a.id }
      .select { ($0.id, $1.jsonGroupArray(filter: $0.isOn.or($0.id == 2)), $1.jsonObject()) }
    let rows = try query.fetchAll(db)
    #expect(rows.map { $0.1.map(\.id) } == [[2], [3], []])
    #expect(rows.map { $0.2?.id } == [2, 3, nil])
    expectSQL(
      Tag.leftJoin(ReminderTag.all) { $0.title == $1.tagID }.select { $1.jsonGroupArray() },
      """
      SELECT json_group_array(CASE WHEN ("remindersTags"."rowid" IS NOT NULL) THEN \
      json_object('reminderID', "remindersTags"."reminderID", 'tagID', "remindersTags"."tagID") \
      END) FILTER (WHERE ("remindersTags"."rowid" IS NOT NULL)) \
      FROM "tags" LEFT JOIN "remindersTags" ON ("tags"."title" = "remindersTags"."tagID")
      """)
  }

  @Test(arguments: [
    ("[]", []), (#"[""]"#, [""]), (#"["a","b c"]"#, ["a", "b c"]),
    (#" [ "a" , "b" ] "#, ["a", "b"]),
    (#"["a\"b","\u00e9","é,]"]"#, ["a\"b", "é", "é,]"]), ("[\"a\u{7F}\"]", ["a\u{7F}"]),
  ])
  func textsOfAnyJSON(_ json: String, _ texts: [String]) throws {
    let db = try sampleDatabase()
    #expect(try #sql("SELECT \(bind: json)", as: JSONArray<String>.self).fetchOne(db) == texts)
  }

  @Test(arguments: [
    "[\"a\nb\"]", #"["a""b"]"#, #"["a""#, #"["a"]]"#, #"["a]"#, #"[,"a"]"#, "[", "",
  ])
  func textsOfNoJSON(_ json: String) throws {
    let db = try sampleDatabase()
    #expect(throws: RowDecodingError.self) {
      try #sql("SELECT \(bind: json)", as: JSONArray<String>.self).fetchOne(db)
    }
  }

  @Test func problemsNameTheColumn() throws {
    let db = try sampleDatabase()
    #expect(throws: RowDecodingError.self) {
      try #sql("SELECT 'no JSON'", as: JSONArray<Int>.self).fetchOne(db)
    }
    #expect(throws: RowDecodingError.self) {
      try #sql("SELECT '[1, null]'", as: JSONArray<Int>.self).fetchOne(db)
    }
    #expect(throws: RowDecodingError.self) {
      try #sql("SELECT '{}'", as: JSONRowObject<Sample>.self).fetchOne(db)
    }
  }
}

@Table
private struct Parcel: Equatable {
  let id: Int
  var size: Size
}
