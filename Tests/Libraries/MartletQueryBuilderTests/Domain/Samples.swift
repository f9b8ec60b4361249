import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

/// A row with a column of each kind, for testing expressions.
@Table
struct Sample: Equatable {
  let id: Int
  var name = ""
  var nick: String?
  var count = 0
  var level: Int?
  var ratio = 0.0
  var isOn = false
  var made: Date
  var due: Date?
  @Column(as: Date.UnixTimeRepresentation.self) var unix: Date
  @Column(as: Date.JulianDayRepresentation.self) var julian: Date
  var bytes: [UInt8]
  @Column(as: [String].JSONRepresentation.self) var tags: [String] = []
  @Column(as: Address.JSONRepresentation.self) var address = Address()
}

struct Address: Codable, Equatable, Sendable {
  var street = ""
  var lines: [String] = []
  var number: Int?
  var place = Place()
  var since: Date?
}

struct Place: Codable, Equatable, Sendable {
  var city = ""
  var isCapital = false
}

/// 2026-02-28 13:45:30.250, a Saturday, the 59th day of its year.
let sampleDate = Date(timeIntervalSince1970: 1_772_286_330.25)

/// A database in memory with three samples.
func sampleDatabase() throws -> Connection {
  let db = try Connection(location: .inMemory)
  try db.execute(
    """
    CREATE TABLE "samples" (
      "id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, "nick" TEXT, "count" INTEGER NOT NULL,
      "level" INTEGER, "ratio" REAL NOT NULL, "isOn" INTEGER NOT NULL, "made" TEXT NOT NULL,
      "due" TEXT, "unix" INTEGER NOT NULL, "julian" REAL NOT NULL, "bytes" BLOB NOT NULL,
      "tags" TEXT NOT NULL, "address" TEXT NOT NULL) STRICT
    """)
  let home = Address(
    street: "Main St", lines: ["a", "b"], number: 7, place: Place(city: "Bern", isCapital: true),
    since: sampleDate)
  try Sample.insert {
    Sample(
      id: 1, name: "Ann 100%", nick: "annie", count: 5, level: 2, ratio: 2.5, isOn: true,
      made: sampleDate, due: sampleDate, unix: sampleDate, julian: sampleDate, bytes: [1, 255],
      tags: ["x", "y\""], address: home)
    Sample(
      id: 2, name: "bob", nick: nil, count: -3, level: nil, ratio: -1.25, isOn: false,
      made: sampleDate, due: nil, unix: sampleDate, julian: sampleDate, bytes: [], tags: [])
    Sample(
      id: 3, name: "Žofie", nick: "Žofie", count: 0, level: 2, ratio: 0.5, isOn: true,
      made: sampleDate, due: nil, unix: sampleDate, julian: sampleDate, bytes: [0],
      tags: ["z"])
  }.execute(db)
  return db
}

/// Checks an expression's SQL, and its value for each of the three samples.
func expect<E: QueryExpressible>(
  _ expression: E, _ sql: String, _ bindings: [QueryBinding] = [],
  gives values: [E.QueryValue.QueryOutput], sourceLocation: SourceLocation = #_sourceLocation
) throws where E.QueryValue.QueryOutput: Equatable {
  let prepared = expression.queryFragment.prepare()
  #expect(
    prepared.sql.replacing(#""samples"."#, with: "") == sql, sourceLocation: sourceLocation)
  #expect(prepared.bindings == bindings, sourceLocation: sourceLocation)
  let query = Sample.order(by: \.id).select { _ in expression }
  #expect(try query.fetchAll(sampleDatabase()) == values, sourceLocation: sourceLocation)
}

/// Checks an aggregate's SQL, and its value for the three samples.
func expect<E: QueryExpressible>(
  _ expression: E, _ sql: String, _ bindings: [QueryBinding] = [],
  over value: E.QueryValue.QueryOutput, sourceLocation: SourceLocation = #_sourceLocation
) throws where E.QueryValue.QueryOutput: Equatable {
  let prepared = expression.queryFragment.prepare()
  #expect(
    prepared.sql.replacing(#""samples"."#, with: "") == sql, sourceLocation: sourceLocation)
  #expect(prepared.bindings == bindings, sourceLocation: sourceLocation)
  let query = Sample.select { _ in expression }
  #expect(try query.fetchAll(sampleDatabase()) == [value], sourceLocation: sourceLocation)
}

/// Checks a statement's SQL, and its rows for the three samples.
func expect<S: MartletQueryBuilder.Statement>(
  _ statement: S, _ sql: String, _ bindings: [QueryBinding] = [], rows: [S.Output],
  sourceLocation: SourceLocation = #_sourceLocation
) throws where S.Output: Equatable {
  let prepared = statement.query.fragment.prepare()
  #expect(
    prepared.sql.replacing(#""samples"."#, with: "") == sql, sourceLocation: sourceLocation)
  #expect(prepared.bindings == bindings, sourceLocation: sourceLocation)
  #expect(try statement.fetchAll(sampleDatabase()) == rows, sourceLocation: sourceLocation)
}

/// Checks that an expression works if the library is new enough, and that otherwise the error names
/// the feature.
func expectNeeds(
  _ feature: String, _ version: Version, _ expression: some QueryExpressible,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let query = Sample.select { _ in expression }.query
  let db = try sampleDatabase()
  if Version.library >= version {
    _ = try db.statement(for: query).step()
  } else {
    let error = #expect(throws: SQLiteError.self, sourceLocation: sourceLocation) {
      _ = try db.statement(for: query)
    }
    #expect(
      error?.message
        == "\(feature) needs SQLite \(version.major).\(version.minor) or later; "
        + "this is SQLite \(Version.library)", sourceLocation: sourceLocation)
  }
}
