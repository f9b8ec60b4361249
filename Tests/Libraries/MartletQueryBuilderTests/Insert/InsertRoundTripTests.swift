import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import TestSupport
import Testing

private enum Mood: Int, QueryBindable { case low = 1, high }
private enum Grade: String, Codable { case a, b }
private struct Shape: Codable, Equatable { var sides = 3; var name: String? }

@Selection private struct Times: Equatable {
  @Column(as: Date.UnixTimeRepresentation.self) var made: Date
  @Column(as: UUID.BytesRepresentation.self) var by: UUID?
}

/// A table with an optional and a non-optional column of each representation.
@Table("parcels") private struct Parcel: Equatable {
  let id: Int
  var title = ""
  var note: String?
  var isOn = false
  var ratio: Double
  var mood: Mood
  var other: Mood?
  var text: Date
  @Column(as: Date.UnixTimeRepresentation.self) var unix: Date
  @Column(as: Date.UnixTimeRepresentation.self) var unixOrNot: Date?
  @Column(as: Date.JulianDayRepresentation.self) var julian: Date
  var uuid: UUID
  @Column(as: UUID.UppercasedRepresentation.self) var upper: UUID
  @Column(as: UUID.BytesRepresentation.self) var bytes: UUID?
  var blob: [UInt8]
  @Column(as: Grade.RawRepresentation.self) var grade: Grade
  @Column(as: Shape.JSONRepresentation.self) var shape: Shape
  @Column(as: [Int].JSONBRepresentation.self) var numbers: [Int]
  var times: Times
  @Column(generated: .stored) let length: Int
}

extension SeededRandom {
  fileprivate mutating func parcel(_ id: Int) -> Parcel {
    let words = ["", "a", "it's", "Žofie", "%"]
    func uuid(_ random: inout Self) -> UUID {
      let (a, b) = (random.next(), random.next())
      return UUID(
        uuidString: String(
          format: "%08X-%04X-4%03X-8%03X-%012X", UInt32(truncatingIfNeeded: a),
          UInt16(truncatingIfNeeded: b), 1, 2, Int(truncatingIfNeeded: b >> 20)))!
    }
    func date(_ random: inout Self) -> Date {
      Date(timeIntervalSince1970: Double(Int.random(in: -86_400...4_000_000_000, using: &random)))
    }
    let title = pick(words)
    return Parcel(
      id: id, title: title, note: once(in: 2) ? nil : pick(words), isOn: once(in: 2),
      ratio: Double(Int.random(in: -9...9, using: &self)) / 4, mood: pick([.low, .high]),
      other: pick([nil, .low]), text: date(&self), unix: date(&self),
      unixOrNot: once(in: 2) ? nil : date(&self),
      julian: Date(timeIntervalSince1970: Double(Int.random(in: 0...9, using: &self)) * 43_200),
      uuid: uuid(&self), upper: uuid(&self), bytes: once(in: 2) ? nil : uuid(&self),
      blob: [0, UInt8.random(in: 0...255, using: &self)], grade: pick([.a, .b]),
      shape: Shape(sides: Int.random(in: 0...9, using: &self), name: pick([nil, "x"])),
      numbers: (0..<Int.random(in: 0...3, using: &self)).map { _ in
        Int.random(in: -9...9, using: &self)
      },
      times: Times(made: date(&self), by: once(in: 2) ? nil : uuid(&self)),
      length: title.unicodeScalars.count)
  }
}

/// An inserted row reads back equal, whichever form of INSERT is used.
@Suite struct InsertRoundTripTests {
  private func database() throws -> Connection {
    let db = try Connection(location: .inMemory)
    let columns = Parcel.TableColumns.all.map { column in
      let type =
        switch column.kind {
        case .integer, .boolean: "INTEGER"
        case .real: "REAL"
        case .blob, .jsonb: "BLOB"
        default: "TEXT"
        }
      let generated = column.isGenerated ? " AS (length(\"title\")) STORED" : ""
      return
        "\"\(column.name)\" \(column.isKey ? "INTEGER PRIMARY KEY" : type + generated)"
        + (column.isOptional || column.isKey || column.isGenerated ? "" : " NOT NULL")
    }
    try db.execute("CREATE TABLE \"parcels\" (\(columns.joined(separator: ", "))) STRICT")
    return db
  }

  private let ways: [(name: String, insert: @Sendable (Parcel) -> [Insert<Parcel>])] = [
    ("row", { row in [Parcel.insert { row }] }),
    ("rows", { row in [Parcel.insert([row])] }),
    ("draft", { row in [Parcel.insert { Parcel.Draft(row) }] }),
    ("columns", { row in [Parcel.insert { row.columns }] }),
    ("upsert", { row in [Parcel.upsert { row }] }),
    (
      "whole",
      { row in
        [
          Parcel.insert {
            $0
          } values: {
            row
          }
        ]
      }
    ),
    (
      "whole draft",
      { row in
        [
          Parcel.insert {
            $0
          } values: {
            [Parcel.Draft(row)]
          }
        ]
      }
    ),
    (
      "values",
      { row in
        [
          Parcel.insert {
            (
              $0.id, $0.title, $0.note, $0.isOn, $0.ratio, $0.mood, $0.other, $0.text, $0.unix,
              $0.unixOrNot, $0.julian, $0.uuid, $0.upper, $0.bytes, $0.blob, $0.grade, $0.shape,
              $0.numbers, $0.times
            )
          } values: {
            (
              row.id, row.title, row.note, row.isOn, row.ratio, row.mood, row.other, row.text,
              row.unix, row.unixOrNot, row.julian, row.uuid, row.upper, row.bytes, row.blob,
              row.grade, row.shape, row.numbers, row.times
            )
          }
        ]
      }
    ),
    (
      "expressions",
      { row in
        [
          Parcel.insert {
            (
              $0.id, $0.title, $0.note, $0.isOn, $0.ratio, $0.mood, $0.other, $0.text, $0.unix,
              $0.unixOrNot, $0.julian, $0.uuid, $0.upper, $0.bytes, $0.blob, $0.grade, $0.shape,
              $0.numbers, $0.times.made, $0.times.by
            )
          } values: {
            (
              row.id, row.title, row.note, row.isOn, row.ratio, row.mood, row.other, row.text,
              #bind(row.unix), #bind(row.unixOrNot), #bind(row.julian), row.uuid, #bind(row.upper),
              #bind(row.bytes), row.blob, #bind(row.grade), #bind(row.shape), #bind(row.numbers),
              #bind(row.times.made), #bind(row.times.by)
            )
          }
        ]
      }
    ),
    (
      "updates",
      { row in
        [
          Parcel.insert {
            $0
          } values: {
            row
          },
          Parcel.insert {
            row
          } onConflictDoUpdate: {
            $0.title = row.title
            $0.unix = row.unix
            $0.unixOrNot = row.unixOrNot
            $0.julian = row.julian
            $0.upper = row.upper
            $0.bytes = row.bytes
            $0.grade = row.grade
            $0.shape = row.shape
            $0.numbers = row.numbers
            $0.times = row.times
          },
        ]
      }
    ),
  ]

  @Test func readsBackEqual() throws {
    for _ in 0..<40 {
      var random = SeededRandom()
      let row = random.parcel(Int.random(in: 1...99, using: &random))
      for way in ways {
        let db = try database()
        for insert in way.insert(row) { try insert.execute(db) }
        #expect(try Parcel.all.fetchAll(db) == [row], "\(way.name), seed \(random.seed)")
        // Also found by its bound value: reading alone might accept a wrong representation.
        #expect(
          try Parcel.where { $0.unix.eq(row.unix) && $0.upper.eq(row.upper) }.count().fetchOne(db)
            == 1,
          "\(way.name), seed \(random.seed)")
      }
    }
  }

  @Test func rowsOfAQuery() throws {
    for _ in 0..<20 {
      var random = SeededRandom()
      var row = random.parcel(7)
      let db = try database()
      try Parcel.insert {
        $0
      } select: {
        Values(row)
      }.execute(db)
      #expect(try Parcel.all.fetchAll(db) == [row], "seed \(random.seed)")
      try Parcel.insert {
        (
          $0.id, $0.title, $0.note, $0.isOn, $0.ratio, $0.mood, $0.other, $0.text, $0.unix,
          $0.unixOrNot, $0.julian, $0.uuid, $0.upper, $0.bytes, $0.blob, $0.grade, $0.shape,
          $0.numbers, $0.times
        )
      } select: {
        Parcel.find(7).select {
          (
            $0.id + 1, $0.title, $0.note, $0.isOn, $0.ratio, $0.mood, $0.other, $0.text, $0.unix,
            $0.unixOrNot, $0.julian, $0.uuid, $0.upper, $0.bytes, $0.blob, $0.grade, $0.shape,
            $0.numbers, $0.times
          )
        }
      }.execute(db)
      row = Parcel.moved(row, to: 8)
      #expect(try Parcel.find(8).fetchAll(db) == [row], "seed \(random.seed)")
    }
  }

  @Test func aWholeRowIsInsertedAsItIs() {
    expectSQL(
      Tag.insert {
        $0
      } values: {
        Tag(title: "mine")
      },
      #"INSERT INTO "tags" ("title") VALUES (?)"#, [.text("mine")])
  }
}

extension Parcel {
  fileprivate static func moved(_ row: Parcel, to id: Int) -> Parcel {
    Parcel(
      id: id, title: row.title, note: row.note, isOn: row.isOn, ratio: row.ratio, mood: row.mood,
      other: row.other, text: row.text, unix: row.unix, unixOrNot: row.unixOrNot,
      julian: row.julian, uuid: row.uuid, upper: row.upper, bytes: row.bytes, blob: row.blob,
      grade: row.grade, shape: row.shape, numbers: row.numbers, times: row.times,
      length: row.length)
  }
}
