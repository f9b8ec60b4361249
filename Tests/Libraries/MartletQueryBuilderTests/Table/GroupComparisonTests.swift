import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Selection private struct Girth: Hashable {
  var w: Int
  var h: Int?
}
@Selection private enum Cargo: Codable, Hashable {
  case note(String)
  case image(Snap)
}
@Selection private struct Snap: Codable, Hashable {
  var caption: String?
  var taken: Int
}
@Table private struct Hamper: Equatable {
  let id: Int
  var kind: Cargo
  var size: Girth?
}
@Selection private struct Sheet: Codable, Hashable {
  var title: String
  var cargo: Cargo
}
@Table private struct Paper {
  let id: Int
  @Column(as: Sheet.JSONRepresentation.self) var sheet: Sheet
}
private enum Other: AliasName {}

/// A group is one value: two groups are equal if all of their parts are, even if a part is NULL.
@Suite struct GroupComparisonTests {
  private static let rows: [Hamper] = {
    let kinds: [Cargo] = [
      .note("n"), .note("m"), .image(Snap(caption: nil, taken: 1)),
      .image(Snap(caption: "c", taken: 1)),
    ]
    let sizes: [Girth?] = [nil, Girth(w: 1, h: nil), Girth(w: 1, h: 2), Girth(w: 0, h: 2)]
    return kinds.flatMap { kind in sizes.map { (kind, $0) } }.enumerated().map {
      Hamper(id: $0.offset + 1, kind: $0.element.0, size: $0.element.1)
    }
  }()

  private func database() throws -> Connection {
    let db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE hampers (id INTEGER PRIMARY KEY, note TEXT, caption TEXT, taken INTEGER, w INTEGER, h INTEGER) STRICT
      """)
    try Hamper.insert(Self.rows).execute(db)
    return db
  }

  private func ids(_ db: Connection, _ query: Where<Hamper>) throws -> [Int] {
    try query.order(by: \.id).select(\.id).fetchAll(db)
  }
  private func ids(_ isWanted: (Hamper) -> Bool) -> [Int] { Self.rows.filter(isWanted).map(\.id) }

  @Test("Comparing with values has the result that Swift has")
  func values() throws {
    let db = try database()
    for value in Set(Self.rows.map(\.kind)) {
      #expect(try ids(db, Hamper.where { $0.kind == value }) == ids { $0.kind == value })
      #expect(try ids(db, Hamper.where { $0.kind != value }) == ids { $0.kind != value })
      #expect(try ids(db, Hamper.where { $0.kind.eq(value) }) == ids { $0.kind == value })
      #expect(try ids(db, Hamper.where { $0.kind.neq(value) }) == ids { $0.kind != value })
      #expect(try ids(db, Hamper.where { $0.kind.is(value) }) == ids { $0.kind == value })
      #expect(try ids(db, Hamper.where { $0.kind.in([value]) }) == ids { $0.kind == value })
      #expect(try ids(db, Hamper.where { $0.kind.notIn([value]) }) == ids { $0.kind != value })
    }
    for value in Set(Self.rows.map(\.size)) {
      #expect(try ids(db, Hamper.where { $0.size == value }) == ids { $0.size == value })
      #expect(try ids(db, Hamper.where { $0.size != value }) == ids { $0.size != value })
      // SQL's operators are NULL if the group is NULL, as for a scalar.
      let isThere = value != nil
      #expect(
        try ids(db, Hamper.where { $0.size.eq(value) }) == ids { $0.size == value })
      #expect(
        try ids(db, Hamper.where { $0.size.neq(value) })
          == ids { $0.size != value && (!isThere || $0.size != nil) })
    }
    for image in [Snap(caption: nil, taken: 1), Snap(caption: "c", taken: 1)] {
      #expect(
        try ids(db, Hamper.where { $0.kind.image.eq(image) }) == ids { $0.kind == .image(image) })
    }
  }

  @Test("Comparing with columns has the result that Swift has")
  func columns() throws {
    let db = try database()
    func pairs(_ isWanted: (Hamper, Hamper) -> Bool) -> [Int] {
      Self.rows.flatMap { a in Self.rows.filter { isWanted(a, $0) }.map { a.id * 100 + $0.id } }
    }
    let other = Hamper.as(Other.self)
    func found(_ query: Select<(Hamper.TableColumns, Hamper.TableColumns), (Hamper, Hamper), ()>)
      throws
      -> [Int]
    {
      try query.select { $0.id * 100 + $1.id }.fetchAll(db).sorted()
    }
    #expect(
      try found(Hamper.join(other) { $0.kind.eq($1.kind) }.order { ($0.id, $1.id) })
        == pairs { $0.kind == $1.kind })
    #expect(try found(Hamper.join(other) { $0.kind != $1.kind }) == pairs { $0.kind != $1.kind })
    #expect(try found(Hamper.join(other) { $0.size == $1.size }) == pairs { $0.size == $1.size })
    #expect(try found(Hamper.join(other) { $0.size != $1.size }) == pairs { $0.size != $1.size })
    #expect(
      try found(Hamper.join(other) { $0.size.eq($1.size) })
        == pairs { $0.size == $1.size && $0.size != nil })
    #expect(
      try found(Hamper.join(other) { $0.size.neq($1.size) })
        == pairs { $0.size != $1.size && $0.size != nil && $1.size != nil })
  }

  @Test("Membership in the rows of a query has the result that Swift has")
  func queries() throws {
    let db = try database()
    for id in 1...Self.rows.count {
      let row = Self.rows[id - 1]
      let chosen = Hamper.as(Other.self).where { $0.id == id }
      #expect(
        try ids(db, Hamper.where { $0.kind.in(chosen.select(\.kind)) })
          == ids { $0.kind == row.kind })
      #expect(
        try ids(db, Hamper.where { $0.size.in(chosen.select(\.size)) })
          == ids { $0.size == row.size })
      #expect(
        try ids(db, Hamper.where { $0.kind.notIn(chosen.select(\.kind)) })
          == ids { $0.kind != row.kind })
    }
  }

  @Test("A case set from another row's column sets the other cases to NULL")
  func otherRow() throws {
    let db = try database()
    try Hamper.insert {
      Hamper(id: 9, kind: .note("q"), size: nil)
    } onConflict: {
      $0.id
    } doUpdate: {
      $0.kind.note = $1.kind.note
    }.execute(db)
    #expect(try Hamper.find(9).fetchAll(db).map(\.kind) == [.note("q")])
  }

  @Test("Setting a part of a case changes only rows that are the case")
  func parts() throws {
    let db = try database()
    try Hamper.update { $0.kind.image.caption = "x" }.execute(db)
    let changed = try Hamper.order(by: \.id).fetchAll(db)
    for (old, new) in zip(Self.rows, changed) {
      if case .image(let image) = old.kind {
        #expect(new.kind == .image(Snap(caption: "x", taken: image.taken)))
      } else {
        #expect(new.kind == old.kind)
      }
    }
    // Setting all required members of a case turns every row into that case.
    try Hamper.update { $0.kind.image.taken = 7 }.execute(db)
    let all = try Hamper.all.fetchAll(db).map(\.kind)
    #expect(all.allSatisfy { if case .image(let image) = $0 { image.taken == 7 } else { false } })
  }

  @Test("A case computed from itself changes only rows that are the case")
  func ofItself() throws {
    let db = try database()
    try Hamper.update { $0.kind.note = $0.kind.note.length().cast(as: String.self) ?? "none" }
      .execute(db)
    let kinds = try Hamper.order(by: \.id).fetchAll(db).map(\.kind)
    #expect(
      zip(kinds, Self.rows).allSatisfy { new, old in
        if case .note = old.kind { new == .note("1") } else { new == old.kind }
      })
  }

  @Test("A patch of a document replaces the enum's case")
  func patch() throws {
    let db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE papers (id INTEGER PRIMARY KEY, sheet TEXT NOT NULL) STRICT
      """)
    let values: [Cargo] = [
      .note("n"), .image(Snap(caption: nil, taken: 1)), .image(Snap(caption: "c", taken: 2)),
    ]
    for old in values {
      for new in values {
        try Paper.upsert { Paper(id: 1, sheet: Sheet(title: "a", cargo: old)) }.execute(db)
        try Paper.update { $0.sheet = $0.sheet.jsonPatch(Sheet(title: "b", cargo: new)) }
          .execute(db)
        let sheet = try #require(try Paper.all.fetchOne(db)).sheet
        #expect(sheet.title == "b")
        switch (old, sheet.cargo, new) {
        // What the patch does not contain stays: here a caption that is nil in the patch.
        case (.image(let old), .image(let patched), .image(let new)):
          #expect(patched == Snap(caption: new.caption ?? old.caption, taken: new.taken))
        default: #expect(sheet.cargo == new)
        }
      }
    }
  }
}
