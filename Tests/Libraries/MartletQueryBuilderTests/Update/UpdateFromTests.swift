import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Table private struct Stone: Equatable {
  let id: Int
  var title = ""
}
@Table private struct Sticker: Equatable {
  let id: Int
  var name = ""
  var isOld = false
}
@Table("stones") private struct Newest: Equatable {
  let id: Int
  var title = ""
  static let all = Self.order { $0.id.desc() }.limit(1)
}
private enum S: AliasName { static let aliasName = "as" }

/// An UPDATE first selects its own rows, and then joins the tables that it reads.
@Suite struct UpdateFromTests {
  let db: Connection
  init() throws {
    db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE "stones" ("id" INTEGER PRIMARY KEY, "title" TEXT);
      CREATE TABLE "stickers" ("id" INTEGER PRIMARY KEY, "name" TEXT, "isOld" INTEGER);
      INSERT INTO "stones" VALUES (1, 'a'), (2, 'b'), (3, 'c');
      INSERT INTO "stickers" VALUES (1, 'x', 0), (2, 'y', 0), (3, 'z', 1)
      """)
  }
  private var titles: [String] {
    get throws { try Stone.order(by: \.id).select(\.title).fetchAll(db) }
  }

  @Test func limited() throws {
    let update = Stone.order(by: \.id).limit(1).update(from: Sticker.where { !$0.isOld }) {
      $0.title = $1.name
    } where: {
      $0.id == $1.id
    }
    expectSQL(
      update,
      """
      UPDATE "stones" SET "title" = "stickers"."name" FROM "stickers" \
      WHERE ("stones"."rowid" IN (SELECT "stones"."rowid" FROM "stones" \
      ORDER BY "stones"."id" LIMIT ?)) AND (NOT "stickers"."isOld") AND ("stones"."id" = "stickers"."id")
      """, [.int(1)])
    try update.execute(db)
    #expect(try titles == ["x", "b", "c"])
  }

  @Test func limitedOnBothSides() throws {
    try Stone.order(by: \.id).limit(2).as(S.self)
      .update(from: Sticker.order { $0.id.desc() }.limit(2)) {
        $0.title = $1.name
      } where: {
        $0.id == $1.id
      }.where { $0.id > 0 }.execute(db)
    #expect(try titles == ["a", "y", "c"])
    try Stone.group(by: \.id).having { $0.id < 2 }.update(from: Sticker.all) {
      $0.title = $1.name
    } where: {
      $0.id < $1.id && $1.name == "z"
    }.execute(db)
    #expect(try titles == ["z", "y", "c"])
  }

  /// A limit in the table's own `all` also selects the rows.
  @Test func limitedByTheTable() throws {
    try Newest.update { $0.title = "n" }.where { $0.id < 3 }.execute(db)
    try Newest.delete().where { $0.id < 3 }.execute(db)
    #expect(try titles == ["a", "b", "c"])
    try Newest.update(from: Sticker.all) {
      $0.title = $1.name
    } where: {
      $0.id == $1.id
    }.execute(db)
    #expect(try titles == ["a", "b", "z"])
  }

  @Test func ofTheSameTable() throws {
    func refused(_ update: Update<Stone>) -> Bool {
      do {
        try update.execute(db)
        return false
      } catch {
        return "\(error)".contains("update(from:) has the table stones twice")
      }
    }
    #expect(
      refused(
        Stone.update(from: Stone.all) {
          $0.title = $1.title
        } where: {
          $0.id == $1.id + 1
        }))
    #expect(
      refused(
        Stone.all.update(from: Stone.limit(1)) {
          $0.title = $1.title
        } where: {
          $0.id > $1.id
        }))
    try Stone.update(from: Stone.as(S.self)) {
      $0.title = $1.title
    } where: {
      $0.id == $1.id + 1
    }.execute(db)
    #expect(try titles == ["a", "a", "b"])
  }
}
