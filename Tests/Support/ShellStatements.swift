/// Random statements of a program that knows the tables but not the rules: each form of INSERT and
/// UPDATE with each conflict clause, upserts, changed IDs, values out of range.
public struct ShellStatements {
  public var random: SeededRandom

  public init(random: SeededRandom) { self.random = random }

  private static let words = ["milk", "Café", "car", "it''s", "", "two words", "🚗", "x\u{1}y"]
  private static let tags = ["car", "CAR", "home", "two words", "late", "Straße", "red"]

  private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
  private mutating func or() -> String {
    random.pick(["", "", "OR REPLACE ", "OR REPLACE ", "OR IGNORE ", "OR FAIL ", "OR ABORT "])
  }
  private mutating func word() -> String { "'\(random.pick(Self.words))'" }
  private mutating func tag() -> String { "'\(random.pick(Self.tags))'" }
  /// An ID from a small range, so that statements collide, and sometimes one assigned by SQLite.
  private mutating func id() -> String { below(4) == 0 ? "NULL" : "\(1 + below(6))" }
  private mutating func place() -> String {
    random.pick(["NULL", "0", "3", "-4", "9007199254740992", "9223372036854775807"])
  }
  private mutating func time() -> String {
    random.pick(["NULL", "''", "'2026-02-31 10:00:00.000'", "'2026-02-03 10:00:00.000'", "'x'"])
  }
  private mutating func due() -> String {
    random.pick(["NULL", "'2026-02-28'", "'2026-02-31'", "'zzz'", "'2026-02-03 10:00:00.000'"])
  }

  public mutating func next() -> String {
    switch below(12) {
    case 11: smartLists()
    case 9: alarms()
    case 10: channels()
    case 7: dates()
    case 8: trees()
    case 0: list()
    case 1, 2: reminder()
    case 3: tagging()
    case 4: use()
    case 5: calendar()
    default: deletion()
    }
  }

  private mutating func list() -> String {
    switch below(5) {
    case 0:
      "INSERT \(or())INTO remindersLists (id, title, position) VALUES (\(id()), \(word()), \(place()))"
    case 1: "UPDATE \(or())remindersLists SET id = \(1 + below(9)) WHERE id = \(1 + below(6))"
    case 2:
      """
      INSERT INTO remindersLists (id, title) VALUES (\(id()), \(word())), (\(id()), 'second') \
      ON CONFLICT (id) DO UPDATE SET title = excluded.title, id = \(1 + below(40))
      """
    case 3: "UPDATE remindersLists SET position = \(place()), color = \(below(3) - 1)"
    default: "UPDATE \(or())remindersLists SET updatedAt = \(time()) WHERE id = \(1 + below(6))"
    }
  }

  private mutating func smartLists() -> String {
    switch below(6) {
    case 0:
      "INSERT \(or())INTO smartLists (id, title, position) VALUES (\(id()), \(word()), \(place()))"
    case 1: "UPDATE \(or())smartLists SET id = \(1 + below(9)) WHERE id = \(1 + below(6))"
    case 2: "INSERT INTO smartLists (title, filter) VALUES (\(word()), '{\"due\":\"today\"}')"
    case 3: "UPDATE smartLists SET position = \(place())"
    case 4: "DELETE FROM smartLists WHERE id = \(1 + below(6))"
    default:
      "UPDATE \(or())smartLists SET updatedAt = \(time()), uid = 'u' WHERE id = \(1 + below(6))"
    }
  }

  private mutating func reminder() -> String {
    switch below(10) {
    case 0, 1, 2:
      """
      INSERT \(or())INTO reminders (id, remindersListID, title, notes, position, dueDate) \
      VALUES (\(id()), \(1 + below(4)), \(word()), \(word()), \(place()), \(due()))
      """
    case 3:
      """
      INSERT \(or())INTO reminders (id, remindersListID, title) \
      SELECT id + \(below(2)), remindersListID, title || 'x' FROM reminders
      """
    case 4: "UPDATE \(or())reminders SET id = \(1 + below(9)) WHERE id = \(1 + below(6))"
    case 5:
      "UPDATE \(or())reminders SET id = id + 1, title = \(word()), remindersListID = \(1 + below(4))"
    case 6:
      """
      INSERT INTO reminders (id, remindersListID, title) VALUES (\(id()), 1, \(word())), \
      (\(id()), 1, 'second') ON CONFLICT (id) DO UPDATE SET notes = excluded.title, id = \(1 + below(40))
      """
    case 7:
      """
      INSERT INTO reminders (id, remindersListID, title) VALUES (\(id()), \(1 + below(4)), \(word())) \
      ON CONFLICT DO NOTHING
      """
    case 8: "UPDATE \(or())reminders SET position = \(place()), dueDate = \(due())"
    default:
      "UPDATE \(or())reminders SET createdAt = \(time()), notes = \(word()) WHERE id = \(1 + below(6))"
    }
  }

  private mutating func rule() -> String {
    random.pick(["NULL", "NULL", "'FREQ=DAILY'", "'rrr'", "''", "'é'"])
  }

  private mutating func dates() -> String {
    switch below(8) {
    case 0:
      """
      INSERT \(or())INTO reminders (id, remindersListID, status, completedAt, startDate, dueDate) \
      VALUES (\(id()), 1, \(below(3)), \(time()), \(due()), \(due()))
      """
    case 1:
      """
      INSERT \(or())INTO reminders (id, remindersListID, dueDate, recurrenceRule, recurrenceStart) \
      VALUES (\(id()), 1, \(due()), \(rule()), \(due()))
      """
    case 2, 3: "UPDATE \(or())reminders SET status = \(below(3)) WHERE id < \(below(9))"
    case 4:
      "UPDATE \(or())reminders SET completedAt = \(below(4) == 0 ? "NULL" : time()) WHERE id = \(1 + below(6))"
    case 5:
      "UPDATE \(or())reminders SET startDate = \(due()), dueDate = \(due()) WHERE id < \(below(9))"
    case 6:
      """
      UPDATE \(or())reminders SET recurrenceRule = \(rule()), recurrenceBasis = \(below(3)), \
      recurrenceExcluded = \(random.pick(["NULL", "'[]'", "'[1]'", "'x'", "'[\"2026-02-28\"]'"])), \
      status = \(below(3)), id = id + \(below(2)) WHERE id = \(1 + below(6))
      """
    default: "DELETE FROM trash WHERE id < \(below(40))"
    }
  }

  private mutating func alarms() -> String {
    let offset = random.pick(["'PT0S'", "'-PT10M'", "'-P1D'", "'x'", "NULL", "'P9'"])
    return switch below(8) {
    case 0, 1, 2:
      """
      INSERT \(or())INTO alarms (id, reminderID, anchor, offset, at) VALUES (\(id()), \(1 + below(7)), \
      \(random.pick(["0", "0", "1", "NULL", "2"])), \(offset), \(below(4) == 0 ? time() : "NULL"))
      """
    case 3:
      """
      INSERT \(or())INTO alarms (reminderID, at) SELECT id, '2026-02-03 10:00:00.000' FROM reminders \
      WHERE id < \(below(9))
      """
    case 4: "UPDATE \(or())alarms SET id = \(1 + below(6)), reminderID = \(1 + below(6))"
    case 5:
      """
      UPDATE \(or())alarms SET offset = \(offset), snoozedUntil = \(time()), \
      repeatEvery = 'PT5M', repeatTimes = \(below(3)) WHERE id = \(1 + below(6))
      """
    case 6:
      "UPDATE \(or())alarms SET acknowledgedAt = \(time()), fireAt = \(time()) WHERE id < \(below(9))"
    default:
      random.pick([
        "UPDATE reminders SET alarmCount = \(below(3)) WHERE id < \(below(6))",
        "DELETE FROM alarms WHERE id = \(1 + below(6))",
        "INSERT INTO reminders (id, remindersListID, alarmCount) VALUES (\(id()), 1, 2)",
      ])
    }
  }

  private mutating func channels() -> String {
    let json = random.pick(["'[]'", "'[1]'", "'{}'", "'[\"*\"]'", "'x'", "NULL"])
    return switch below(9) {
    case 0, 1:
      """
      INSERT \(or())INTO channels (id, kind, name, url, events, lists, createdAt) VALUES (\(id()), \
      \(below(4)), \(word()), \(random.pick(["'http://a'", "'a b'"])), \
      \(json), \(json), '2026-02-03 10:00:00.000')
      """
    case 2:
      """
      INSERT \(or())INTO channels (kind, name, url, events, createdAt) WITH RECURSIVE many (n) AS (
        SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < \(random.pick([2, 60])))
      SELECT 0, 'c', 'a:b', '[]', \(below(4) == 0 ? time() : "'2026-02-03 10:00:00.000'") FROM many
      """
    case 3:
      """
      UPDATE \(or())channels SET events = \(json), settings = \(json), isEnabled = \(below(3)), \
      failingSince = \(time()) WHERE id < \(below(9))
      """
    case 4, 5:
      """
      INSERT \(or())INTO deliveries (id, channelID, eventID, type, body, createdAt, expiresAt, nextAt) \
      VALUES (\(id()), \(1 + below(7)), 'e-\(below(4))', 'x', \(json), \
      '2026-02-03 10:00:00.000', '2026-02-03 10:00:00.000', \(time()))
      """
    case 6:
      """
      UPDATE \(or())deliveries SET state = \(below(3)), nextAt = \(time()), endedAt = \(time()), \
      eventID = 'e-\(below(3))' WHERE id < \(below(9))
      """
    case 7:
      "UPDATE \(or())channels SET id = \(1 + below(9)) WHERE id = \(1 + below(6))"
    default:
      random.pick([
        "DELETE FROM channels WHERE id > \(below(9))",
        "DELETE FROM deliveries WHERE id < \(below(9))",
        "UPDATE \(or())deliveries SET channelID = \(1 + below(9)) WHERE id < \(below(9))",
      ])
    }
  }

  private mutating func trees() -> String {
    let parent = random.pick(["NULL", "\(1 + below(6))", "\(1 + below(6))", "\(1 + below(12))"])
    return switch below(11) {
    case 8, 9:
      """
      UPDATE reminders SET remindersListID = \(1 + below(3))\(random.pick(["", ", position = NULL", ", position = 3"])) \
      \(random.pick(["", ", status = \(below(2))"])) WHERE id IN (\(1 + below(8)), \(1 + below(8)), \(1 + below(8)))
      """
    case 10:
      """
      INSERT INTO reminders (remindersListID, title, parentID) \
      SELECT remindersListID, \(word()), id FROM reminders WHERE id = \(parent)
      """
    case 0, 1:
      """
      INSERT \(or())INTO reminders (id, remindersListID, title, parentID, status) \
      VALUES (\(id()), \(1 + below(3)), \(word()), \(parent), \(below(3)))
      """
    case 2, 3: "UPDATE \(or())reminders SET parentID = \(parent) WHERE id = \(1 + below(8))"
    case 4:
      """
      UPDATE \(or())reminders SET parentID = \(parent), remindersListID = \(1 + below(3)), \
      status = \(below(3)) WHERE id < \(below(9))
      """
    case 5:
      "UPDATE \(or())reminders SET remindersListID = \(1 + below(3)) WHERE id = \(1 + below(6))"
    case 6: "UPDATE \(or())reminders SET status = \(below(3)) WHERE id = \(1 + below(6))"
    default:
      "UPDATE reminders SET allSubtasks = \(below(4)), openSubtasks = 1 WHERE id < \(below(6))"
    }
  }

  private mutating func tagging() -> String {
    switch below(5) {
    case 0, 1: "INSERT \(or())INTO tags (title) VALUES (\(tag())), (\(tag()))"
    case 2: "UPDATE \(or())tags SET title = \(tag()) WHERE title = \(tag())"
    case 3: "INSERT INTO tags VALUES (\(tag())) ON CONFLICT (title) DO UPDATE SET title = \(tag())"
    default: "INSERT INTO tags VALUES (char(\(below(32))) || 'x')"
    }
  }

  private mutating func use() -> String {
    switch below(7) {
    case 0, 1, 2:
      """
      INSERT \(or())INTO remindersTags (id, reminderID, tagID) \
      VALUES (\(id()), \(1 + below(6)), \(tag())), (\(id()), \(1 + below(6)), \(tag()))
      """
    case 3: "UPDATE \(or())remindersTags SET id = \(1 + below(6)) WHERE id = \(1 + below(6))"
    case 4:
      "UPDATE \(or())remindersTags SET reminderID = \(1 + below(6)), id = id + \(below(2)) WHERE tagID = \(tag())"
    case 5: "UPDATE \(or())remindersTags SET tagID = \(tag()) WHERE id < \(below(6))"
    default:
      """
      INSERT INTO remindersTags (id, reminderID, tagID) VALUES (\(id()), \(1 + below(6)), \(tag())) \
      ON CONFLICT (reminderID, tagID) DO UPDATE SET id = \(1 + below(6)) \
      ON CONFLICT (id) DO UPDATE SET reminderID = excluded.reminderID
      """
    }
  }

  private mutating func calendar() -> String {
    switch below(4) {
    case 0:
      """
      UPDATE \(or())calendarObjects SET reminderID = (SELECT max(id) FROM reminders) \
      WHERE reminderID = \(1 + below(6)) AND EXISTS (SELECT 1 FROM reminders)
      """
    case 1:
      """
      UPDATE \(or())calendarObjects SET raw = 'r', name = 'n', \
      parentUID = (SELECT uid FROM reminders WHERE id = \(1 + below(6))) \
      WHERE reminderID = \(1 + below(6))
      """
    default:
      """
      INSERT \(or())INTO calendarObjects (reminderID, lines) \
      SELECT id, 'X-OF:' || title FROM reminders WHERE id = \(1 + below(6))
      """
    }
  }

  private mutating func deletion() -> String {
    switch below(8) {
    case 0: "DELETE FROM remindersLists"
    case 1: "DELETE FROM remindersLists WHERE id = \(1 + below(6))"
    case 2: "DELETE FROM tags WHERE title = \(tag())"
    case 3: "DELETE FROM remindersTags WHERE id = \(1 + below(6))"
    case 4: "DELETE FROM calendarObjects WHERE reminderID = \(1 + below(6))"
    default: "DELETE FROM reminders WHERE id > \(below(40))"
    }
  }
}
