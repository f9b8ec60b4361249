import MartletJSON
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletReminders

/// Answers by the tokens of messages, on an injected clock.
@Suite("Answers to messages about alarms", .timeLimit(.minutes(10)))
struct AnswerTests {
  private let file: RemindersFile
  private let time: TestClock
  private let service: ChannelService

  init() throws {
    file = try RemindersFile()
    time = TestClock(try RFC3339.parse("2026-11-20T12:00:00Z"))
    service = try ChannelService(file, at: time)
  }

  private func channel(answers: Bool = true) throws -> Int {
    var settings = ChannelSettings.Values()
    settings.topic = "t"
    settings.answers = answers
    return try service.make(.ntfy, settings: settings)
  }

  /// Makes a reminder that rings now, and returns its ID.
  @discardableResult
  private func ring(_ members: (inout ReminderRepository.Values) -> Void = { _ in }) throws -> Int {
    var values = ReminderRepository.Values()
    (values.listID, values.title) = (1, "Dentist")
    values.dueDate = .instant(time.now)
    values.alarms = [AlarmTrigger(.offset(try #require(CivilDuration("PT0S")), from: .due))]
    members(&values)
    return try service.write { [values, time] in
      try ReminderRepository.create(values, at: time.now, in: $0)
    }
  }

  /// The token in the newest message.
  private func token(messages: Int = 1) async throws -> AnswerToken {
    try await service.wait { service.sent.count == messages }
    let message = try #require(service.sent.last)
    let text = String(decoding: message.body, as: UTF8.self)
    let match = try #require(text.firstMatch(of: #/ma_\d+_[0-9a-f]{40}/#), "\(text)")
    return try #require(AnswerToken(String(match.0)))
  }

  private func answer(_ answer: AlarmAnswer, _ token: AnswerToken) throws -> AnswerRepository
    .Result?
  {
    try service.write { [time] in
      try AnswerRepository.answer(answer, by: token, minutes: 10, at: time.now, in: .utc, $0)
    }
  }

  private func value(_ sql: String) throws -> Value? { try service.read { try $0.value(sql) } }

  @Test("The buttons of a message have a token for this alarm, and nobody else sees it")
  func message() async throws {
    _ = try channel()
    let silent = try channel(answers: false)
    try ring()
    try await service.wait { service.sent.count == 2 }
    let messages = service.sent.map { String(decoding: $0.body, as: UTF8.self) }
    let first = try #require(messages.first { $0.contains("ma_") })
    let json = try #require(JSONValue.stored(first)?.object)
    #expect(json["priority"]?.int64 == 4)
    let actions = try #require(json["actions"]?.array).compactMap(\.object)
    #expect(actions.map { $0["label"]?.string } == ["Done", "10 minutes"])
    #expect(actions.allSatisfy { $0["url"]?.string == "https://todo.example.org/v1/answers" })
    #expect(actions.allSatisfy { $0["action"]?.string == "http" && $0["clear"]?.bool == true })
    let bodies = try actions.map {
      try #require(JSONValue.stored($0["body"]?.string ?? "")?.object)
    }
    #expect(bodies.map { $0["do"]?.string } == ["done", "snooze"])
    let delivery = try #require(try service.deliveries(silent).first)
    #expect(delivery.token == nil)
    // The API does not show it.
    let shown = ByteBuffer(capacity: 1_000)
    try service.read { db in
      let id = try service.deliveries().first { $0.token != nil }?.id ?? 0
      _ = try db.writeJSONObject(DeliveryRepository.item(id), into: shown)
    }
    #expect(!String(decoding: shown.bytes, as: UTF8.self).contains("ma_"))
  }

  @Test("Only a device reports what it has shown, and not the reader of a topic")
  func seen() async throws {
    let id = try channel()
    try ring()
    let token = try await token()
    #expect(try answer(.seen, token) == .init(did: .seen))
    #expect(try service.channel(id).seenAt == nil)
  }

  @Test("Before the due time the button stops the alarm, and does not complete the reminder")
  func early() async throws {
    _ = try channel()
    try ring { values in
      values.dueDate = .instant(time.now.adding(seconds: 3_600))
      values.alarms = [AlarmTrigger(.at(time.now))]
    }
    _ = try await token()
    let text = String(decoding: try #require(service.sent.last).body, as: UTF8.self)
    #expect(text.contains(#""label":"Stop""#) && !text.contains(#""label":"Done""#))
  }

  @Test("Done completes, stop acknowledges, snooze rings again; each is repeated as it was")
  func answers() async throws {
    _ = try channel()
    try ring()
    let done = try await token()
    let look = try #require(try answer(.look, done))
    let reminder = try #require(look.reminder)
    #expect(look == .init(did: .nothing, reminder: reminder))
    #expect(reminder.id == 1 && reminder.title == "Dentist" && reminder.dueDate != nil)
    #expect(try answer(.done, done) == .init(did: .done))
    #expect(try value("SELECT status FROM reminders WHERE id = 1")?.integer == 1)
    #expect(try answer(.done, done) == .init(did: .done))
    #expect(try answer(.snooze, done) == .init(did: .nothing, because: .completed))
    #expect(
      try answer(.look, done) == .init(did: .nothing, because: .completed, reminder: reminder))

    try ring()
    let stop = try await token(messages: 2)
    #expect(try answer(.stop, stop) == .init(did: .stopped))
    #expect(try value("SELECT state FROM alarms WHERE id = 2")?.integer == 3)
    #expect(try answer(.done, stop) == .init(did: .nothing, because: .answered))
    #expect(try value("SELECT status FROM reminders WHERE id = 2")?.integer == 0)

    try ring()
    let snooze = try await token(messages: 3)
    let until = time.now.adding(seconds: 600)
    #expect(try answer(.snooze, snooze) == .init(did: .snoozed, until: until))
    time.advance(milliseconds: 1_000)
    #expect(try answer(.snooze, snooze) == .init(did: .snoozed, until: until))
    // When it rings again, there is another message, and the first one is over.
    service.go(to: until)
    let again = try await token(messages: 4)
    #expect(try answer(.done, snooze) == .init(did: .nothing, because: .answered))
    #expect(try answer(.done, again) == .init(did: .done))
    #expect(service.errors == [])
  }

  @Test("A late answer does not complete the next occurrence")
  func occurrence() async throws {
    _ = try channel()
    var daily = Recurrence.Values()
    daily.rule = try RecurrenceRule("FREQ=DAILY")
    try ring { $0.recurrence = daily }
    let first = try await token()
    try service.write { [time] db in
      var values = ReminderRepository.Values()
      values.status = .completed
      try ReminderRepository.update(1, values, at: time.now, in: db)
    }
    #expect(try answer(.done, first) == .init(did: .nothing, because: .completed))
    service.advance(86_400)
    let second = try await token(messages: 2)
    #expect(try value("SELECT count(*) FROM completions")?.integer == 1)
    #expect(try answer(.done, second) == .init(did: .done))
    #expect(try value("SELECT count(*) FROM completions")?.integer == 2)
  }

  @Test("A repetition is still the same alarm")
  func repetition() async throws {
    _ = try channel()
    try ring { values in
      values.alarms = [
        AlarmTrigger(
          .at(time.now), repetition: AlarmTrigger.Repetition(every: "PT5M", times: 2))
      ]
    }
    let first = try await token()
    service.advance(300)
    _ = try await token(messages: 2)
    #expect(try answer(.done, first) == .init(did: .done))
  }

  @Test(
    "What has become of it is named",
    arguments: [
      ("UPDATE reminders SET dueDate = '2027-01-01 00:00:00.000'", AnswerRepository.Reason.moved),
      ("DELETE FROM alarms", .moved), ("DELETE FROM reminders", .deleted),
      ("UPDATE alarms SET acknowledgedAt = '2026-11-20 12:00:01.000'", .answered),
      ("UPDATE reminders SET status = 1", .completed),
    ])
  func reasons(_ sql: String, _ reason: AnswerRepository.Reason) async throws {
    _ = try channel()
    try ring()
    let token = try await token()
    let shell = try file.connect(as: .shell)
    try shell.execute(sql)
    try await service.wait {
      try shell.value("SELECT 1 FROM alarms WHERE isStale OR state = 1") == nil
    }
    #expect(try answer(.done, token) == .init(did: .nothing, because: reason))
  }

  @Test("A token ends with its day, its channel, its permission and a restore")
  func ends() async throws {
    let channel = try channel()
    try ring()
    let token = try await token()
    let text = try #require(value("SELECT token FROM deliveries")?.text)
    func isValid(_ token: AnswerToken?) throws -> Bool {
      let token = try #require(token)
      return try service.read { try AnswerRepository.isValid(token, at: time.now, in: $0) }
    }
    #expect(try isValid(token))
    #expect(try !isValid(AnswerToken("ma_1_\(text.dropLast())0")) || text.hasSuffix("0"))
    #expect(try !isValid(AnswerToken("ma_2_\(text)")) && !isValid(AnswerToken("ma_1_")))
    for wrong in ["", "ma_", "ma_1", "ma_0_a", "ma_x_a", "mk_1_a", "ma_1_a_b"] {
      #expect(AnswerToken(wrong) == nil, "\(wrong)")
    }
    let id = channel
    func permit(_ answers: Bool) throws {
      try service.write { db in
        try db.execute(
          "UPDATE channels SET settings = json_set(settings, '$.answers', json('\(answers)')) WHERE id = \(id)"
        )
      }
    }
    try permit(false)
    #expect(try !isValid(token) && answer(.done, token) == nil)
    try permit(true)
    #expect(try isValid(token))
    time.advance(milliseconds: 86_400_000)
    #expect(try !isValid(token))
    time.advance(milliseconds: -86_400_000)
    try service.write { [time] db in _ = try DeliveryRepository.giveUp(at: time.now, db) }
    #expect(try !isValid(token))
  }

  // MARK: The end

  @Test(
    "The end of an alarm is sent once to the channels that ask for it",
    arguments: [
      "UPDATE alarms SET acknowledgedAt = '2026-11-20 12:00:01.000'",
      "UPDATE alarms SET snoozedUntil = '2027-01-01 00:00:00.000'",
      "UPDATE reminders SET dueDate = '2027-01-01 00:00:00.000'",
      "UPDATE reminders SET status = 1", "DELETE FROM reminders", "DELETE FROM alarms",
    ])
  func end(_ sql: String) async throws {
    let (hook, other) = (
      try service.make(events: ["alarm.ended"]), try service.make(events: ["alarm.ringing"])
    )
    try file.connect(as: .shell).execute("INSERT INTO remindersLists (id, title) VALUES (2, 'b')")
    let (phone, elsewhere) = (
      try channel(), try service.make(events: ["alarm.ended"], lists: [2])
    )
    try ring()
    try await service.wait { try !service.deliveries(other).isEmpty }
    #expect(try service.deliveries(hook).isEmpty)
    let rang = try #require(try service.deliveries(other).first?.eventID)
    try file.connect(as: .shell).execute(sql)
    try await service.wait { try service.deliveries(hook).first?.state == .delivered }
    let event = try #require(try service.deliveries(hook).first)
    let data = try #require(JSONValue.stored(event.body)?.object?["data"]?.object)
    #expect(event.type == "alarm.ended" && data["rang"]?.string == rang)
    #expect(data["alarm"]?.object?["id"]?.int64 == 1)
    // Another commit does not send it again.
    try ring()
    try await service.wait { try service.deliveries(other).count == 2 }
    #expect(try service.deliveries(hook).count == 1)
    #expect(try service.deliveries(phone).allSatisfy { $0.type == "alarm.ringing" })
    #expect(try service.deliveries(elsewhere).isEmpty && service.errors == [])
  }

  @Test("A channel hears nothing of what rang before it was made")
  func old() async throws {
    let first = try service.make()
    try ring()
    try await service.wait { try !service.deliveries(first).isEmpty }
    service.advance(1)
    let hook = try service.make(events: ["*"])
    let shell = try file.connect(as: .shell)
    try shell.execute("UPDATE alarms SET acknowledgedAt = '2026-11-20 12:00:01.000'")
    try await service.wait { try value("SELECT endedAt FROM firings")?.isNull == false }
    // It may hear of the reminder, whose alarm has changed since.
    #expect(try service.deliveries(hook).allSatisfy { $0.type == "reminder.changed" })
  }
}
