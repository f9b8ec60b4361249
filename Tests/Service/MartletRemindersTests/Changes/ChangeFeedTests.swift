import MartletJSON
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletReminders

@Suite("The change feed") struct ChangeFeedTests {
  let file: RemindersFile
  let db: Connection

  init() throws {
    file = try RemindersFile()
    db = try file.connect(as: .service)
  }

  /// A client's copy of what the feed shows.
  struct Copy {
    var feed = ChangeFeed()
    var token: FeedToken?
    var items: [String: String] = [:]
    /// The number of times that the client had to begin anew.
    var restarts = 0

    /// Applies one page. Returns whether there are more.
    mutating func applyPage(_ db: Connection, most: Int = .max) throws -> Bool {
      var names: Set<String> = []
      var items = items
      let end: ChangeFeed.End
      do {
        end = try feed.page(after: token, in: db) { entry in
          guard names.count < most else { return false }
          let name = "\(entry.kind) \(entry.id)"
          #expect(names.insert(name).inserted, "each item once")
          items[name] = entry.isDeleted ? nil : try ChangeFeedTests.text(entry.query, db)
          return true
        }
      } catch is FeedExpired {
        restarts += 1
        (token, self.items) = (nil, [:])
        return true
      }
      #expect(names.count <= feed.limit)
      self.items = items
      token = FeedToken(end.next.description)
      return end.hasMore
    }

    mutating func catchUp(_ db: Connection) throws {
      while try applyPage(db) {}
    }
  }

  /// A row as JSON.
  static func text(_ query: Query, _ db: Connection) throws -> String {
    let body = ByteBuffer(capacity: 256)
    #expect(try db.writeJSONObject(query, into: body))
    return String(decoding: body.bytes, as: UTF8.self)
  }

  /// What a client should have, read from the tables.
  static func truth(_ feed: ChangeFeed, _ db: Connection) throws -> [String: String] {
    var items: [String: String] = [:]
    func add(_ name: String, _ query: Query) throws { items[name] = try text(query, db) }
    if feed.kind == nil || feed.kind == .list {
      for list in try RemindersList.all.fetchAll(db) where feed.lists.contains(list.id) {
        try add("list \(list.id)", ListRepository.feedItem(list.id))
      }
    }
    if feed.kind == nil || feed.kind == .reminder {
      for reminder in try Reminder.all.fetchAll(db)
      where feed.lists.contains(reminder.remindersListID)
        && !(feed.isOpenOnly && reminder.status == .completed)
      {
        try add("reminder \(reminder.id)", ReminderRepository.item(reminder.id))
      }
    }
    guard feed.kind == nil || feed.kind == .smartList, feed.lists == .all else { return items }
    for list in try SmartListRepository.all(in: db) {
      try add("smartList \(list.id)", SmartListRepository.feedItem(list.id))
    }
    return items
  }

  @Test("Copies follow random statements of every program", arguments: 0..<12)
  func property(_ round: Int) throws {
    let random = SeededRandom()
    var statements = ShellStatements(random: random)
    var dice = SeededRandom(seed: random.seed &+ 1)
    let shell = try file.connect(as: .shell)
    var copies = (0..<6).map { _ in Copy() }
    copies[1].feed.lists = .only([1, 3])
    copies[2].feed.isOpenOnly = true
    copies[3].feed.kind = .reminder
    copies[3].feed.lists = .only([2])
    copies[4].feed.kind = .list
    copies[5].feed.kind = .smartList
    for index in copies.indices { copies[index].feed.limit = 1 + index * 2 }
    for step in 0..<Effort.rounds(75) {
      let connection = dice.once(in: 2) ? shell : db
      // Many statements are refused.
      _ = connection.refusal(of: statements.next())
      if dice.once(in: 4) {
        _ = connection.refusal(
          of: "UPDATE reminders SET status = \(step % 3) WHERE id = \(step % 7)")
      }
      if dice.once(in: 30) { try upkeep(cutoff: dice.once(in: 2) ? "9999" : "0000") }
      if dice.once(in: 100) {
        try db.execute("UPDATE feedState SET epoch = lower(hex(randomblob(6)))")
      }
      for index in copies.indices where dice.once(in: 3) {
        if dice.once(in: 2) {
          _ = try copies[index].applyPage(db)
        } else {
          try copies[index].catchUp(db)
          #expect(
            try copies[index].items == ChangeFeedTests.truth(copies[index].feed, db),
            "seed \(random.seed), step \(step), client \(index)")
        }
      }
      guard dice.once(in: 10) else { continue }
      for index in copies.indices {
        try copies[index].catchUp(db)
        #expect(
          try copies[index].items == ChangeFeedTests.truth(copies[index].feed, db),
          "seed \(random.seed), step \(step), client \(index)")
      }
    }
  }

  private func upkeep(cutoff: String, portion: Int = 3) throws {
    var pass = FeedPass(cutoff: cutoff)
    while let found = try pass.portion(portion, in: db) {
      pass.last = found.last
      if !found.isClean { try pass.delete(found, in: db) }
    }
  }

  private func create(_ title: String, in list: Int = 1) throws -> Int {
    var changes = ReminderRepository.Values()
    changes.listID = list
    changes.title = title
    return try ReminderRepository.create(changes, in: db)
  }

  @Test("A token is refused after a restore, and once deletions since it were forgotten")
  func expiry() throws {
    var all = Copy()
    var quiet = Copy()
    let list = try ListRepository.create(.init(), in: db)
    quiet.feed.lists = .only([list])
    _ = try create("stays", in: list)
    let gone = try create("goes")
    try all.catchUp(db)
    try quiet.catchUp(db)
    try ReminderRepository.delete(gone, in: db)
    _ = try create("later")
    try upkeep(cutoff: "0000")
    var current = all
    try current.catchUp(db)
    #expect(current.restarts == 0)
    try upkeep(cutoff: "9999")
    try all.catchUp(db)
    try quiet.catchUp(db)
    #expect(all.restarts == 1 && all.items == current.items)
    #expect(quiet.restarts == 0, "nothing of its list was forgotten")
    try current.catchUp(db)
    #expect(current.restarts == 0)
    // A token that is newer than the file: an older copy of it was put back.
    var future = current
    future.token?.version += 1000
    try future.catchUp(db)
    #expect(future.restarts == 1)
    try db.execute("UPDATE feedState SET epoch = 'another'")
    try current.catchUp(db)
    #expect(current.restarts == 1 && current.items == all.items)
  }

  @Test("A token is refused with other filters, and when the lists of the key have changed")
  func scope() throws {
    let list = try ListRepository.create(.init(), in: db)
    _ = try create("a", in: list)
    var limited = Copy()
    limited.feed.lists = .only([1, list])
    try limited.catchUp(db)
    #expect(limited.items.count == 3)
    try ListRepository.delete(list, in: db)
    // The grant is deleted with the list, so the key cannot be told what was in it.
    limited.feed.lists = .only([1])
    try limited.catchUp(db)
    #expect(limited.restarts == 1)
    #expect(try limited.items == ChangeFeedTests.truth(limited.feed, db))
    limited.feed.kind = .list
    try limited.catchUp(db)
    #expect(limited.restarts == 2)
  }

  @Test("Upkeep leaves one line per item, and versions go on growing")
  func upkeepOfLines() throws {
    let id = try create("a")
    for index in 0..<10 {
      var changes = ReminderRepository.Values()
      changes.title = "a \(index)"
      try ReminderRepository.update(id, changes, at: .epoch, in: db)
    }
    let newest = try db.integer("SELECT max(version) FROM changes")
    #expect(try db.integer("SELECT count(*) FROM changes") == 12)
    try upkeep(cutoff: "0000")
    // One is that of the list.
    #expect(try db.integer("SELECT count(*) FROM changes") == 2)
    try ReminderRepository.delete(id, in: db)
    try upkeep(cutoff: "9999")
    #expect(try db.integer("SELECT count(*) FROM changes") == 2, "the newest line stays")
    _ = try create("b")
    #expect(try db.integer("SELECT max(version) FROM changes") == (newest ?? 0) + 2)
  }

  @Test("More deletions than the feed may remember are forgotten before their time")
  func bound() throws {
    let ids = try (0..<6).map { try create("\($0)") }
    for id in ids { try ReminderRepository.delete(id, in: db) }
    let pass = try FeedPass(cutoff: "0000").bounded(by: 2, in: db)
    let portion = try #require(try pass.portion(100, in: db))
    try pass.delete(portion, in: db)
    #expect(try db.integer("SELECT count(*) FROM changes WHERE gone IS NOT NULL") == 2)
  }

  @Test("A page without room for an item goes on with it on the next one")
  func room() throws {
    for index in 0..<10 { _ = try create("\(index)") }
    var copy = Copy()
    while try copy.applyPage(db, most: 2) {}
    #expect(try copy.items == ChangeFeedTests.truth(copy.feed, db))
    for id in 1...10 { try ReminderRepository.delete(id, in: db) }
    while try copy.applyPage(db, most: 3) {}
    #expect(copy.items.count == 1)
  }

  @Test(
    "Tokens",
    arguments: [
      ("k3f9-s-12", true), ("k3f9-s-12-2.7", true), ("", false), ("k3f9", false),
      ("k3f9-s-", false),
      ("k3f9-s--1", false), ("k3f9-s-1-3.1", true), ("k3f9-s-1-4.1", false), ("k3f9-s-1-1", false),
      ("-s-1", false),
      ("k3f9--1", false), ("k3f9-s-99999999999999999999", false), ("k3f9-s-1-1.2-3", false),
    ])
  func tokens(_ text: String, _ isValid: Bool) {
    #expect(FeedToken(text)?.description == (isValid ? text : nil))
  }

  @Test("A UID is unique in its list, for every program")
  func uids() throws {
    try db.execute(
      """
      INSERT INTO remindersLists (title, uid) VALUES ('two', 'L');
      INSERT INTO reminders (remindersListID, uid) VALUES (1, 'a'), (2, 'a'), (2, NULL);
      """)
    for connection in [db, try file.connect(as: .shell)] {
      for statement in [
        "INSERT INTO reminders (remindersListID, uid) VALUES (2, 'a')",
        "INSERT OR REPLACE INTO reminders (remindersListID, uid) VALUES (2, 'a')",
        "UPDATE reminders SET remindersListID = 1 WHERE id = 2",
        "UPDATE reminders SET uid = 'a' WHERE id = 3",
        "UPDATE OR REPLACE reminders SET uid = 'a' WHERE id = 3",
        "INSERT INTO remindersLists (title, uid) VALUES ('three', 'L')",
        "UPDATE remindersLists SET uid = 'L' WHERE id = 1",
      ] {
        #expect(
          connection.refusal(of: statement) == RuleViolation.uidExists.rawValue, "\(statement)")
      }
      #expect(
        connection.refusal(of: "INSERT INTO reminders (remindersListID, uid) VALUES (1, '')")
          == ValueRule.uid.rawValue)
    }
    try db.execute("UPDATE reminders SET uid = NULL WHERE id = 1")
    #expect(try db.text("SELECT uid FROM reminders WHERE id = 1")?.count == 32)
    #expect(try db.integer("SELECT count(*) FROM reminders") == 3)
  }

  @Test("A UID stays unique in its list when a reminder moves and keeps its position")
  func movedUIDs() throws {
    try db.execute(
      """
      INSERT INTO remindersLists (title) VALUES ('two');
      INSERT INTO reminders (remindersListID, uid) VALUES (1, 'a'), (2, 'b'), (2, 'a');
      """)
    #expect(try db.integer("SELECT position FROM reminders WHERE id = 3") == 65_536)
    for connection in [db, try file.connect(as: .shell)] {
      #expect(
        connection.refusal(of: "UPDATE reminders SET remindersListID = 1 WHERE id = 3")
          == RuleViolation.uidExists.rawValue)
    }
  }
}
