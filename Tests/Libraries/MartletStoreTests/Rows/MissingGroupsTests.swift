import MartletJSON
import MartletQueryBuilder
import MartletSQLite
import TestSupport
import Testing

@testable import MartletStore

@Table
private struct Berth: Equatable {
  let id: Int
  var name = ""
  var depth: Double?
}

@Table
private struct Ship: Equatable {
  let id: Int
  var name = ""
  var berthID: Int?
  var hull: Hull?
}

@Selection
private struct Hull: Equatable {
  var length: Int?
  var color: String?
}

@Selection
private struct Mooring: Equatable {
  let ship: Ship
  let berth: Berth?
  let neighbours: Int
}

/// A member of a result: a column's value or a group of members.
private indirect enum Member {
  case value(Int?)
  case group([(name: String, member: Member)], isOptional: Bool)

  static func random(_ random: inout SeededRandom, depth: Int = 0) -> Member {
    guard depth == 0 || (depth < 4 && Int.random(in: 0..<3, using: &random) == 0) else {
      return .value(Bool.random(using: &random) ? nil : Int.random(in: 0..<10, using: &random))
    }
    let members = (0..<Int.random(in: 1...4, using: &random)).map {
      ("m\($0)", Member.random(&random, depth: depth + 1))
    }
    return .group(members, isOptional: depth > 0 && Bool.random(using: &random))
  }

  func columns(_ name: String, in groups: [ResultGroup]) -> [(ResultColumn, Int?)] {
    switch self {
    case .value(let value): [(ResultColumn(name, in: groups, kind: .integer), value)]
    case .group(let members, let isOptional):
      members.flatMap {
        $0.member.columns($0.name, in: groups + [ResultGroup(name, isOptional: isOptional)])
      }
    }
  }
  var isNull: Bool {
    switch self {
    case .value(let value): value == nil
    case .group(let members, _): members.allSatisfy(\.member.isNull)
    }
  }
  var json: String {
    switch self {
    case .value(let value): value.map(String.init) ?? "null"
    case .group(_, isOptional: true) where isNull: "null"
    case .group(let members, _):
      "{\(members.map { "\"\($0.name)\":\($0.member.json)" }.joined(separator: ","))}"
    }
  }
}

@Suite("Missing optional groups are null in JSON")
struct MissingGroupsTests {
  private let db: Connection

  init() throws {
    db = try Connection(location: .inMemory)
    try #sql(
      """
      CREATE TABLE "berths" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, "depth" REAL);
      """
    ).execute(db)
    try #sql(
      """
      CREATE TABLE "ships" (
        "id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, "berthID" INTEGER,
        "length" INTEGER, "color" TEXT
      )
      """
    ).execute(db)
    try Berth.insert { Berth(id: 1, name: "east") }.execute(db)
    try Ship.insert {
      Ship(id: 1, name: "Ada", berthID: 1, hull: Hull(length: 12))
      Ship(id: 2, name: "Bo")
    }.execute(db)
  }

  private func json(_ query: Query) throws -> [String] {
    let statement = try db.statement(for: query)
    defer { statement.reset() }
    let rows = JSONRows(query.columns)
    var lines: [String] = []
    while try statement.step() {
      let buffer = ByteBuffer()
      rows.write(statement, into: buffer)
      lines.append(String(decoding: buffer.bytes, as: UTF8.self))
    }
    return lines
  }

  private static var moorings: some Statement<Mooring> {
    Ship.leftJoin(Berth.all) { $0.berthID.eq($1.id) }.order { ships, _ in ships.id }.select {
      Mooring.Columns(ship: $0, berth: $1, neighbours: 0)
    }
  }

  @Test("The missing side of a join is nil and null; a present row keeps its nulls")
  func leftJoin() throws {
    #expect(
      try json(Self.moorings.query) == [
        #"{"ship":{"id":1,"name":"Ada","berthID":1,"hull":{"length":12,"color":null}},"#
          + #""berth":{"id":1,"name":"east","depth":null},"neighbours":0}"#,
        #"{"ship":{"id":2,"name":"Bo","berthID":null,"hull":null},"berth":null,"neighbours":0}"#,
      ])
    #expect(try Self.moorings.fetchAll(db).map(\.berth?.name) == ["east", nil])
  }

  @Test("JSON produced by SQLite has the same form and decodes to the same rows")
  func inSQL() throws {
    let made = try json(Ship.order { $0.id }.select { $0.jsonObject() }.query)
    #expect(
      made.map { $0.contains(#""hull":null"#) } == [false, true])
    #expect(
      try Ship.order { $0.id }.select { $0.jsonObject() }.fetchAll(db)
        == Ship.order { $0.id }.fetchAll(db))
    #expect(
      try Ship.all.select { $0.jsonGroupArray() }.fetchOne(db)
        == Ship.all.fetchAll(db))
  }

  @Test("Groups can be nested arbitrarily", arguments: 0..<10)
  func nested(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<50 {
      let row = Member.random(&random)
      // The row itself is not a group.
      let columns = row.columns("", in: []).map { column, value in
        (ResultColumn(column.name, in: Array(column.groups.dropFirst()), kind: column.kind), value)
      }
      let sql = columns.map { $0.1.map(String.init) ?? "NULL" }.joined(separator: ",")
      let statement = try db.prepare(sql: "SELECT \(sql)")
      #expect(try statement.step())
      let buffer = ByteBuffer()
      JSONRows(columns.map(\.0)).write(statement, into: buffer)
      #expect(String(decoding: buffer.bytes, as: UTF8.self) == row.json)
    }
  }

  @Selection fileprivate struct Place: Equatable {
    let id: Int
    let label: String
    let size: Int?
  }

  @Selection fileprivate struct Stay: Equatable {
    let ship: String
    let place: Place?
  }

  @Test("Selected columns of an outer row are one member, which is missing if the row is")
  func chosenColumns() throws {
    let stays = Ship.leftJoin(Berth.all) { $0.berthID == $1.id }
      .order { ship, _ in ship.id }
      .select { ship, berth in
        Stay.Columns(
          ship: ship.name,
          // A computed value or a constant would be present without the row.
          place: berth.map {
            Place.Columns(id: $0.id, label: "at " + $0.name, size: #bind(7 as Int?))
          })
      }
    #expect(
      try stays.fetchAll(db) == [
        Stay(ship: "Ada", place: Place(id: 1, label: "at east", size: 7)),
        Stay(ship: "Bo", place: nil),
      ])
    let buffer = ByteBuffer(capacity: 100)
    try db.writeJSON(PageQuery(all: stays.query), into: buffer)
    #expect(
      String(decoding: buffer.bytes, as: UTF8.self)
        == #"{"items":[{"ship":"Ada","place":{"id":1,"label":"at east","size":7}},{"ship":"Bo","place":null}],"nextCursor":null}"#
    )
    let names = Ship.leftJoin(Berth.all) { $0.berthID == $1.id }
      .select { ($0.name, $1.map { $0.name.length() }) }
    #expect(try names.fetchAll(db).map(\.1) == [4, nil])
  }

  @Test("A column of the other table is missing with the row, too")
  func otherColumns() throws {
    let stays = Ship.leftJoin(Berth.all) { $0.berthID == $1.id }
      .order { ship, _ in ship.id }
      .select { ship, berth in
        Stay.Columns(
          ship: ship.name,
          place: berth.map {
            Place.Columns(id: $0.id, label: ship.name, size: #bind(7 as Int?))
          })
      }
    #expect(
      try stays.fetchAll(db) == [
        Stay(ship: "Ada", place: Place(id: 1, label: "Ada", size: 7)),
        Stay(ship: "Bo", place: nil),
      ])
  }
}
