import MartletJSON
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletReminders

/// The events of changes, compared with what has happened.
@Suite("The outbox of changes") struct OutboxTests {
  private let file: RemindersFile
  private let db: Connection
  private let now: Instant

  init() throws {
    file = try RemindersFile()
    db = try file.connect(as: .service)
    now = try RFC3339.parse("2026-11-20T12:00:00Z")
  }

  @discardableResult
  private func channel(_ events: [String] = ["*"], lists: [Int]? = nil) throws -> Int {
    var changes = ChannelRepository.Values()
    changes.name = "c"
    changes.url = "https://example.com/"
    changes.events = events
    changes.lists = .some(lists)
    return try write { try ChannelRepository.create(.webhook, changes, at: now, $0) }
  }

  private func write<T>(_ body: (Connection) throws -> T) throws -> T {
    try db.transaction { try body(db) }
  }

  private func read() throws {
    while try Outbox.hasNews(db) { try write { try Outbox.addChanges(at: now, $0) } }
  }

  /// The events for a channel, in order.
  private func told(_ channel: Int) throws -> [(type: String, body: JSONObject)] {
    try Delivery.where { $0.channelID == channel }.order { $0.id }.fetchAll(db).map { delivery in
      let event = try #require(JSONValue.stored(delivery.body)?.object)
      #expect(event["type"]?.string == delivery.type)
      #expect(event["timestamp"]?.string == "2026-11-20T12:00:00.000Z")
      return (delivery.type, try #require(event["data"]?.object))
    }
  }

  private func types(_ channel: Int) throws -> [String] { try told(channel).map(\.type) }

  @Test("Each change has its type, and several changes before a reading are one")
  func types() throws {
    let all = try channel()
    try db.execute("INSERT INTO remindersLists (title) VALUES ('b')")
    try db.execute("INSERT INTO reminders (remindersListID, title) VALUES (2, 'x')")
    try db.execute("UPDATE reminders SET title = 'y'; UPDATE reminders SET isFlagged = 1")
    try read()
    #expect(try types(all) == ["list.created", "reminder.created"])
    let reminder = try #require(try told(all).last?.body["reminder"]?.object)
    #expect(reminder["title"]?.string == "y" && reminder["isFlagged"]?.bool == true)
    #expect(try told(all).last?.body["list"]?.object?["title"]?.string == "b")
    try db.execute("UPDATE reminders SET title = 'z'")
    try db.execute("UPDATE remindersLists SET title = 'c' WHERE id = 2")
    try read()
    try db.execute("UPDATE reminders SET status = 1")
    try read()
    try db.execute("UPDATE reminders SET status = 0")
    try read()
    try db.execute("DELETE FROM reminders")
    try read()
    try db.execute("DELETE FROM remindersLists WHERE id = 2")
    try read()
    #expect(
      try types(all).dropFirst(2) == [
        "reminder.changed", "list.changed", "reminder.completed", "reminder.changed",
        "reminder.deleted", "list.deleted",
      ])
    let gone = try told(all).suffix(2).map { $0.body }
    #expect(gone[0]["reminder"].map { "\($0)" } == #"{"id":1,"listID":2,"title":"z"}"#)
    #expect(gone[1]["list"].map { "\($0)" } == #"{"id":2,"title":"c"}"#)
  }

  @Test("What was created while a channel was behind is told as created")
  func behind() throws {
    let all = try channel()
    let count = Outbox.portion * 2 + 5
    try db.execute(
      """
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      INSERT INTO reminders (remindersListID, title) SELECT 1, i FROM n
      """)
    try write { try Outbox.addChanges(at: now, $0) }
    #expect(try types(all).count == Outbox.portion)
    try read()
    #expect(try types(all) == Array(repeating: "reminder.created", count: count))
  }

  @Test("What was created and completed at once is told as both")
  func both() throws {
    let all = try channel()
    try db.execute("INSERT INTO reminders (remindersListID, title, status) VALUES (1, 'x', 1)")
    try read()
    #expect(try types(all) == ["reminder.created", "reminder.completed"])
  }

  @Test("A recurring reminder that moves on is completed; a skipped occurrence is a change")
  func recurring() throws {
    try db.execute(
      """
      INSERT INTO reminders (remindersListID, title, dueDate, recurrenceRule, recurrenceStart)
      VALUES (1, 'x', '2026-11-20', 'FREQ=DAILY', '2026-11-20')
      """)
    let all = try channel()
    try write { try CompletionRepository.skip(1, among: .all, at: now, in: .utc, $0) }
    try read()
    try write { db in
      let reminder = try #require(try Reminder.find(1).fetchOne(db))
      try CompletionRepository.complete(reminder, at: now, in: .utc, db)
    }
    try read()
    #expect(try types(all) == ["reminder.changed", "reminder.completed"])
  }

  @Test("A type that the channel is not set to is told as a change, if it is set to that")
  func subset() throws {
    let changed = try channel(["reminder.changed"])
    let completed = try channel(["reminder.completed", "list.deleted"])
    let alarms = try channel(["alarm.ringing"])
    try db.execute("INSERT INTO reminders (remindersListID, title) VALUES (1, 'x')")
    try read()
    try db.execute("UPDATE reminders SET status = 1")
    try read()
    try db.execute("DELETE FROM reminders")
    try read()
    #expect(try types(changed) == ["reminder.changed", "reminder.changed"])
    #expect(try types(completed) == ["reminder.completed"])
    #expect(try types(alarms) == [])
  }

  @Test("A channel is told nothing of what was before it, or while it was disabled")
  func beginning() throws {
    try db.execute("INSERT INTO reminders (remindersListID, title) VALUES (1, 'x')")
    let all = try channel()
    try read()
    #expect(try types(all) == [])
    var changes = ChannelRepository.Values()
    changes.isEnabled = false
    try write { try ChannelRepository.update(all, changes, $0) }
    try db.execute("UPDATE reminders SET title = 'y'")
    changes.isEnabled = true
    try write { try ChannelRepository.update(all, changes, $0) }
    try read()
    #expect(try types(all) == [])
    try db.execute("UPDATE reminders SET title = 'z'")
    try read()
    #expect(try types(all) == ["reminder.changed"])
  }

  @Test("After a restore, what waited is given up, and IDs differ from those before")
  func restored() throws {
    let all = try channel()
    try db.execute("INSERT INTO reminders (remindersListID, title) VALUES (1, 'x')")
    try read()
    try db.execute("UPDATE reminders SET title = 'y'")
    let before = try Delivery.all.fetchAll(db).map(\.eventID)
    try write { db in
      try RemindersDatabase.startFeedAnew(db)
      #expect(try RemindersDatabase.giveUpDeliveries(at: now, db) == 1)
    }
    try read()
    #expect(try types(all) == ["reminder.created"])
    #expect(try Delivery.all.fetchAll(db).map(\.state) == [.dead])
    try db.execute("UPDATE reminders SET title = 'z'")
    try read()
    let last = try #require(try Delivery.all.fetchAll(db).last)
    #expect(last.eventID.prefix(12) != before[0].prefix(12))
  }

  @Test("Notes are cut")
  func notes() throws {
    let all = try channel()
    let notes = String(repeating: "é", count: Outbox.longestNotes + 5)
    try db.execute(
      "INSERT INTO reminders (remindersListID, title, notes) VALUES (1, 'x', '\(notes)')")
    try read()
    let told = try told(all).last?.body["reminder"]?.object?["notes"]?.string
    #expect(told?.unicodeScalars.count == Outbox.longestNotes)
  }

  /// Random writes of every kind, read in between at random. At the end each channel has been told
  /// the last state of everything in its lists, of each creation and completion exactly once, and
  /// of nothing else.
  @Test("Random writes", arguments: 0..<6)
  func property(_ round: Int) throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    print("outbox: seed \(seed)")
    var random = SeededRandom(seed: seed)
    for title in ["b", "c"] {
      try db.execute("INSERT INTO remindersLists (title) VALUES ('\(title)')")
    }
    for _ in 0..<5 {
      try db.execute("INSERT INTO reminders (remindersListID, title) VALUES (1, 'old')")
    }
    let channels: [(id: Int, lists: [Int]?)] = [
      (try channel(), nil), (try channel(lists: [2]), [2]), (try channel(lists: [1, 3]), [1, 3]),
    ]
    let oldest = 5
    var completed: Set<Int> = []
    for step in 0..<(round < 4 ? 50 : 250) {
      let ids = try Reminder.all.select(\.id).fetchAll(db)
      let id = ids.randomElement(using: &random) ?? 0
      let list = Int.random(in: 1...3, using: &random)
      switch Int.random(in: 0..<12, using: &random) {
      case 0...3:
        try db.execute(
          "INSERT INTO reminders (remindersListID, title) VALUES (\(list), 'n\(step)')")
      case 4: try db.execute("UPDATE reminders SET title = 't\(step)' WHERE id = \(id)")
      case 5, 6:
        let isOpen = try Reminder.find(id).fetchOne(db)?.status == .incomplete
        try db.execute("UPDATE reminders SET status = 1 WHERE id = \(id)")
        if isOpen { completed.insert(id) }
      case 7: try db.execute("UPDATE reminders SET status = 0 WHERE id = \(id)")
      case 8: try db.execute("DELETE FROM reminders WHERE id = \(id)")
      case 9: try db.execute("UPDATE reminders SET remindersListID = \(list) WHERE id = \(id)")
      case 10: try db.execute("UPDATE remindersLists SET title = 'l\(step)' WHERE id = \(list)")
      default:
        // A part, so that a channel is behind when more happens.
        if try Outbox.hasNews(db) { try write { try Outbox.addChanges(at: now, $0) } }
      }
    }
    try read()
    let reminders = Dictionary(
      uniqueKeysWithValues: try Reminder.all.fetchAll(db).map { ($0.id, $0) })
    for (channel, lists) in channels {
      let told = try told(channel)
      var last: [Int: (type: String, title: String?, list: Int?)] = [:]
      for (type, body) in told where type.hasPrefix("reminder.") {
        let item = try #require(body["reminder"]?.object)
        let list = try #require(item["listID"]?.int64)
        #expect(lists?.contains(Int(list)) != false)
        last[Int(try #require(item["id"]?.int64))] = (type, item["title"]?.string, Int(list))
      }
      for (id, reminder) in reminders {
        let isSeen = lists?.contains(reminder.remindersListID) != false
        if isSeen, id > oldest {
          let state = try #require(last[id], "\(id) was never told")
          #expect(state.type != "reminder.deleted" && state.title == reminder.title)
          #expect(state.list == reminder.remindersListID)
        } else if !isSeen, let state = last[id] {
          #expect(state.type == "reminder.deleted" && state.title == nil)
        }
      }
      for (id, state) in last where reminders[id] == nil {
        #expect(state.type == "reminder.deleted")
      }
      let created = told.filter { $0.type == "reminder.created" }
        .compactMap { $0.body["reminder"]?.object?["id"]?.int64 }
      #expect(Set(created).count == created.count && created.allSatisfy { $0 > oldest })
      let ids = try Delivery.where { $0.channelID == channel && $0.type.eq("reminder.completed") }
        .select(\.eventID).fetchAll(db)
      #expect(Set(ids).count == ids.count)
      let done = told.filter { $0.type == "reminder.completed" }
        .compactMap { $0.body["reminder"]?.object?["id"]?.int64 }
      #expect(completed.isSuperset(of: done.map { Int($0) }))
      if lists == nil {
        let wanted = completed.filter { reminders[$0]?.status == .completed }
        #expect(Set(done.map { Int($0) }).isSuperset(of: wanted))
        #expect(Set(created.map { Int($0) }).isSuperset(of: reminders.keys.filter { $0 > oldest }))
      }
    }
  }
}
