import MartletQueryBuilder
import Testing

@Suite struct OnConflictTests {
  @Test func upsert() {
    expectSQL(
      Tag.upsert { Tag(title: "car") },
      #"INSERT INTO "tags" ("title") VALUES (?) ON CONFLICT ("title") DO NOTHING"#,
      [.text("car")])
    expectSQL(
      RemindersList.upsert { RemindersList.Draft(id: 1, position: 2, title: "Home") },
      """
      INSERT INTO "remindersLists" ("id", "color", "position", "title") VALUES (?, ?, ?, ?) \
      ON CONFLICT ("id") DO UPDATE SET "color" = "excluded"."color", \
      "position" = "excluded"."position", "title" = "excluded"."title"
      """, [.int(1), .int(0x4a99ef_ff), .int(2), .text("Home")])
  }

  @Test func doUpdate() {
    expectSQL(
      ReminderTag.insert {
        ReminderTag(reminderID: 1, tagID: "a")
      } onConflictDoUpdate: {
        $0.tagID = $1.tagID
      },
      """
      INSERT INTO "remindersTags" ("reminderID", "tagID") VALUES (?, ?) \
      ON CONFLICT DO UPDATE SET "tagID" = "excluded"."tagID"
      """, [.int(1), .text("a")])
    expectSQL(
      ReminderTag.insert {
        ReminderTag(reminderID: 1, tagID: "a")
      } onConflictDoUpdate: {
        $0.tagID = "b"
      },
      """
      INSERT INTO "remindersTags" ("reminderID", "tagID") VALUES (?, ?) \
      ON CONFLICT DO UPDATE SET "tagID" = ?
      """, [.int(1), .text("a"), .text("b")])
  }

  @Test func target() {
    expectSQL(
      ReminderTag.insert {
        ReminderTag(reminderID: 1, tagID: "a")
      } onConflict: {
        ($0.reminderID, $0.tagID)
      } where: {
        $0.reminderID > 0
      } doUpdate: {
        $0.tagID = $1.tagID
      } where: {
        $0.tagID != "locked"
      },
      """
      INSERT INTO "remindersTags" ("reminderID", "tagID") VALUES (?, ?) \
      ON CONFLICT ("reminderID", "tagID") WHERE ("reminderID" > 0) \
      DO UPDATE SET "tagID" = "excluded"."tagID" WHERE ("remindersTags"."tagID" <> ?)
      """, [.int(1), .text("a"), .text("locked")])
  }
}
