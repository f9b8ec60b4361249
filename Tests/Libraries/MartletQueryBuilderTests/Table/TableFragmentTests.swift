import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Table private struct Kiosk: Equatable {
  let id: Int
  @Column("title") var name = ""
  static var tableAlias: String? { "s" }
}

/// A table-valued function, under the table's own name.
@Table private struct KioskColumn: Equatable {
  @Column("cid", primaryKey: true) let number: Int
  let name: String
  static var tableFragment: QueryFragment {
    "pragma_table_info(\(quote: Kiosk.tableName, delimiter: .text))"
  }
}

@Table(schema: "main") private struct Setting: Equatable {
  let name: String
  @Column("dflt_value") let value: String?
}
extension Setting {
  static var tableAlias: String? { "settings" }
  static var tableFragment: QueryFragment { "pragma_table_info('kiosks')" }
}

private enum Other: AliasName {}

/// `tableFragment` and `tableAlias` determine what follows FROM and the name it has.
@Suite struct TableFragmentTests {
  private let db: Connection
  init() throws {
    db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE "kiosks" ("id" INTEGER PRIMARY KEY, "title" TEXT DEFAULT 'new');
      INSERT INTO "kiosks" VALUES (1, 'a'), (2, 'b')
      """)
  }

  @Test func functions() throws {
    expectSQL(
      KioskColumn.where { $0.name != "id" }.order(by: \.number),
      """
      SELECT "kioskColumns"."cid", "kioskColumns"."name" FROM pragma_table_info('kiosks') \
      AS "kioskColumns" WHERE ("kioskColumns"."name" <> ?) ORDER BY "kioskColumns"."cid"
      """, [.text("id")])
    #expect(try KioskColumn.find(1).fetchOne(db) == KioskColumn(number: 1, name: "title"))
    #expect(try KioskColumn.count().fetchOne(db) == 2)
    #expect(try KioskColumn.limit(1).count.fetchOne(db) == 1)
    #expect(try KioskColumn.Draft.find(0).fetchOne(db)?.name == "id")
    #expect(try Setting.select(\.value).fetchAll(db) == [nil, "'new'"])
    let raw = #sql("SELECT \(KioskColumn.columns) FROM \(KioskColumn.self)", as: KioskColumn.self)
    #expect(try raw.fetchAll(db).map(\.name) == ["id", "title"])
  }

  @Test func joinsAndAliases() throws {
    let pairs = KioskColumn.join(KioskColumn.as(Other.self)) { $0.number < $1.number }
    #expect(try pairs.select { _, other in other.name }.fetchAll(db) == ["title"])
    let all = Kiosk.leftJoin(Setting.all) { $1.name == "title" }.order { kiosk, _ in kiosk.id }
    #expect(try all.select { _, setting in setting.value }.fetchAll(db) == ["'new'", "'new'"])
    let none = try Setting.none.rightJoin(Kiosk.all) { $0.name == $1.name }.fetchAll(db)
    #expect(none.map(\.1.id) == [1, 2])
    let names = KioskColumn.where { column in
      Setting.where { $0.name == column.name && $0.value != nil }.exists()
    }
    #expect(try names.select(\.name).fetchAll(db) == ["title"])
    let both = Kiosk.select(\.name).union(KioskColumn.select(\.name))
    #expect(try both.fetchAll(db).sorted() == ["a", "b", "id", "title"])
    let counts = With {
      KioskColumn.where { $0.number > 0 }
    } query: {
      Kiosk.select { _ in Setting.count() }
    }
    #expect(try counts.fetchAll(db) == [2, 2])
  }

  /// An ordinary table under its own alias, in every change.
  @Test func changes() throws {
    expectSQL(
      Kiosk.find(1).select(\.name),
      #"SELECT "s"."title" FROM "kiosks" AS "s" WHERE ("s"."id" = ?)"#,
      [.int(1)])
    try Kiosk.insert {
      Kiosk(id: 1, name: "z")
    } onConflict: {
      $0.id
    } doUpdate: {
      $0.name = $0.name + $1.name
    }.execute(db)
    try Kiosk.find(2).update { $0.name += "!" }.execute(db)
    #expect(try Kiosk.order(by: \.id).select(\.name).fetchAll(db) == ["az", "b!"])
    try Kiosk.createTemporaryTrigger(
      after: .insert { new in
        Kiosk.where { $0.id < new.id }.update { $0.name += new.name }
        Kiosk.find(2).delete()
      }
    ).execute(db)
    #expect(
      try Kiosk.insert { Kiosk.Draft(name: "c") }.returning { ($0.id, $0.name.upper()) }.fetchOne(
        db)?
        .1 == "C")
    #expect(try Kiosk.order(by: \.id).select(\.name).fetchAll(db) == ["azc", "c"])
    #expect(try Kiosk.find(1).delete().returning(\.name).fetchAll(db) == ["azc"])
    try Kiosk.order(by: \.id).limit(1).delete().execute(db)
    #expect(try Kiosk.exists().fetchOne(db) == false)
  }
}

extension SQLQueryExpression<Bool> {
  fileprivate func fetchOne(_ db: Connection) throws -> Bool? { try Values(self).fetchOne(db) }
}
