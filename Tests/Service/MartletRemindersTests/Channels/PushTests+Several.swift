import MartletJSON
import MartletQueryBuilder
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletCourier
@testable import MartletReminders

// Several alarms at once, and a service that cannot send.
extension PushTests {
  /// Makes reminders that ring in a minute.
  private func several(_ titles: [String], _ priority: Reminder.Priority? = nil) async throws {
    try service.write { [time] db in
      for title in titles {
        var values = ReminderRepository.Values()
        (values.listID, values.title, values.priority) = (1, title, priority)
        values.alarms = [AlarmTrigger(.at(time.now.adding(seconds: 60)))]
        _ = try ReminderRepository.create(values, at: time.now, in: db)
      }
    }
    try await service.wait {
      try service.read { try AlarmRepository.stale().fetchOne($0) == nil }
    }
    service.advance(60)
  }

  private func states(_ channel: Int) throws -> [DeliveryState: Int] {
    Dictionary(grouping: try service.deliveries(channel), by: \.state).mapValues(\.count)
  }

  @Test("Up to three alarms are messages of their own; more are one to people, not to programs")
  func merged() async throws {
    let phone = try subscribe()
    let hook = try service.make(.webhook)
    var settings = ChannelSettings.Values()
    settings.topic = "t"
    let ntfy = try service.make(.ntfy, settings: settings)
    try await several(["a", "b", "c"])
    try await service.wait {
      try states(phone) == [.delivered: 3] && states(ntfy) == [.delivered: 3]
    }
    let titles = (1...12).map { "Reminder \($0)" }
    try await several(titles)
    try await service.wait {
      try states(phone) == [.delivered: 4, .merged: 12] && states(hook) == [.delivered: 15]
        && states(ntfy) == [.delivered: 4, .merged: 12]
    }
    let push = try #require(service.sent.last { $0.push != nil })
    #expect(push.push?.about == "summary" && push.push?.urgency == .high)
    let message = try payload(push)
    #expect(message["kind"]?.string == "summary" && message["count"]?.int64 == 12)
    #expect(message["titles"]?.array?.compactMap(\.string) == Array(titles.prefix(5)))
    #expect(try answer(.seen, token(push)) == .init(did: .seen))
    #expect(try answer(.done, token(push)) == .init(did: .nothing, because: .deleted))
    let text = try payload(
      try #require(service.sent.last { $0.url == "https://example.com/\(ntfy)" }))
    #expect(text["title"]?.string == "12 alarms" && text["priority"]?.int64 == 4)
    #expect(
      text["message"]?.string == "Reminder 1, Reminder 2, Reminder 3, Reminder 4, Reminder 5, …")
    // Nothing of it is sent again, and the next few are messages of their own.
    try await several(["d"])
    try await service.wait { try states(phone) == [.delivered: 5, .merged: 12] }
  }

  @Test("What was answered, hidden or put off is not a part of it")
  func mergedAfterAnswers() async throws {
    let phone = try subscribe(lists: [1])
    try service.write { db in
      var values = PushRepository.Values()
      values.waits.after = CivilDuration(milliseconds: 600_000)
      try PushRepository.update(phone, values, in: .all, among: .all, db)
    }
    try await several(["a", "b", "c", "d", "e", "f"])
    try await service.wait { try states(phone) == [.waiting: 6] }
    let shell = try file.connect(as: .shell)
    try shell.execute(
      """
      UPDATE alarms SET acknowledgedAt = '2026-11-20 12:02:00.000' WHERE reminderID = 1;
      INSERT INTO remindersLists (id, title) VALUES (9, 'Another');
      UPDATE reminders SET remindersListID = 9 WHERE id = 2;
      """)
    service.advance(600)
    try await service.wait {
      try states(phone) == [.answered: 1, .dead: 1, .merged: 4, .delivered: 1]
    }
    #expect(try payload(try #require(service.sent.last))["count"]?.int64 == 4)
    // Of four, one is left out: the others are messages of their own.
    try await several(["g", "h", "i", "j"])
    try await service.wait { try service.deliveries(phone).count { $0.state == .waiting } == 4 }
    try shell.execute(
      """
      UPDATE alarms SET acknowledgedAt = '2026-11-20 12:13:00.000'
      WHERE reminderID = (SELECT max(id) FROM reminders)
      """)
    service.advance(600)
    try await service.wait {
      try states(phone) == [.answered: 2, .dead: 1, .merged: 4, .delivered: 4]
    }
  }

  @Test("In quiet hours it makes no sound, unless one of them is important")
  func mergedInQuietHours() async throws {
    let phone = try subscribe()
    try service.write { db in
      let hours = #"{"from":"11:00","to":"13:00","mode":"silently"}"#
      try db.execute("UPDATE channels SET quiet = '\(hours)' WHERE id = \(phone)")
    }
    try await several(["a", "b", "c", "d"])
    try await service.wait { try states(phone) == [.merged: 4, .delivered: 1] }
    #expect(try payload(try #require(service.sent.last))["quiet"]?.bool == true)
    try await several(["e", "f", "g", "h"], .high)
    try await service.wait { try states(phone) == [.merged: 8, .delivered: 2] }
    #expect(try payload(try #require(service.sent.last))["quiet"]?.bool == false)
  }

  @Test("A storm is one message, and an alarm of another program is no obstacle")
  func storm() async throws {
    let phone = try subscribe()
    let strange = try file.connect(as: .shell)
    for id in 1...4 {
      try strange.execute(
        """
        INSERT INTO deliveries (channelID, eventID, type, body, createdAt, expiresAt, nextAt)
        VALUES (\(phone), 'x\(id)', 'alarm.ringing', '{}', '2026-11-20 12:00:00.000',
          '2026-11-21 12:00:00.000', '2026-11-20 12:00:00.000')
        """)
    }
    try await service.wait { try service.deliveries(phone).allSatisfy { $0.state != .waiting } }
    let before = service.sent.count
    try await several((1...300).map { "\($0)" })
    try await service.wait { try service.deliveries(phone).count >= 304 }
    // They were waited for, if the first of them was seen while others were about to ring.
    service.advance(2)
    try await service.wait { try states(phone)[.merged] == 300 }
    try await service.wait { try states(phone)[.waiting] == nil }
    #expect(service.sent.count == before + 1)
  }

  @Test("A device that shows an earlier message of an alarm hears of its end")
  func endOfEarlier() async throws {
    let phones = [try subscribe("a"), try subscribe("b")]
    service.answer(with: { .answer($0.url.hasSuffix("/a") ? 201 : 503) })
    try service.write { [time] db in
      var values = ReminderRepository.Values()
      (values.listID, values.title) = (1, "Tea")
      let again = AlarmTrigger.Repetition(every: "PT1M", times: 3)
      values.alarms = [AlarmTrigger(.at(time.now), repetition: again)]
      _ = try ReminderRepository.create(values, at: time.now, in: db)
    }
    func attempts() throws -> [Int] { try service.deliveries().map(\.attempts) }
    try await service.wait { try attempts() == [1, 1] }
    service.answer(with: { _ in .answer(503) })
    service.advance(60)
    try await service.wait { try service.deliveries(phones[0]).map(\.attempts) == [1, 1] }
    service.answer(with: { _ in .answer(201) })
    let shell = try file.connect(as: .shell)
    try shell.execute("UPDATE alarms SET acknowledgedAt = '2026-11-20 12:01:01.000'")
    service.advance(600)
    for phone in phones {
      try await service.wait {
        try service.deliveries(phone).contains {
          $0.type == "alarm.ended" && $0.state == .delivered
        }
      }
    }
  }

  private var cannotSendSince: Instant? {
    get throws { try service.read { try DeliveryFigures.cannotSendSince($0) } }
  }

  @Test("Since when the service itself cannot send is stored, until something has left it")
  func cannotSend() async throws {
    let hook = try service.make(.webhook)
    service.answer(with: { _ in .failure("libcurl is missing", .courier) })
    let begin = time.now
    try service.test(hook)
    try await service.wait { try cannotSendSince == begin }
    // It is not the fault of the channel.
    #expect(try service.channel(hook).failingSince == nil)
    service.advance(10)
    try await service.wait { try service.deliveries(hook).last?.attempts == 2 }
    #expect(try cannotSendSince == begin)
    // Any answer shows that it can.
    service.answer(with: { _ in .failure("nothing listens", .unanswered) })
    service.advance(600)
    try await service.wait { try cannotSendSince == nil }
  }

  @Test("A new start asks whether it can send, if before it could not", arguments: [true, false])
  func canSendAgain(canSend: Bool) async throws {
    let (begin, file) = (time.now, try RemindersFile())
    try file.connect(as: .shell).execute(
      "UPDATE settings SET cannotSendSince = '2026-11-20 12:00:00.000'")
    let again = try ChannelService(file, at: time, probe: { $0(canSend) })
    try await again.wait {
      try again.read { try DeliveryFigures.cannotSendSince($0) } == (canSend ? nil : begin)
    }
  }

  @Test("A server that sends nothing lets alarms ring, and gives their messages up after a day")
  func sendsNothing() async throws {
    let file = try RemindersFile()
    let service = try ChannelService(file, at: time, sendsNothing: true)
    let hook = try service.make(.webhook)
    try service.test(hook)
    service.advance(86_399)
    #expect(try service.deliveries(hook).map(\.state) == [.waiting])
    service.advance(1)
    try await service.wait { try service.deliveries(hook).map(\.state) == [.dead] }
    #expect(service.sent.isEmpty)
  }

  @Test("With the server's key all subscriptions end, and what waits for them")
  func reset() async throws {
    let phones = [try subscribe("a"), try subscribe("b")]
    let hook = try service.make(.webhook)
    service.answer(with: { _ in .answer(503) })
    try ring()
    try await service.wait { try service.deliveries().map(\.attempts) == [1, 1, 1] }
    try service.write { [time] in try PushRepository.reset(at: time.now, $0) }
    for phone in phones {
      let channel = try service.channel(phone)
      #expect(channel.lostAt == time.now && channel.recipient == nil)
      #expect(
        try service.deliveries(phone).filter { $0.type == "alarm.ringing" }.map(\.state) == [.dead])
    }
    #expect(try service.deliveries(hook).first?.state == .waiting)
    #expect(try service.read { try PushRepository.publicKey($0) } == nil)
    // The same device may come again.
    try subscribe("a")
  }

  @Test("An alarm is unheard if it has rung for ten minutes and no message was delivered")
  func unheard() async throws {
    let hook = try service.make(.webhook)
    service.answer(with: { _ in .answer(503) })
    try ring()
    try await service.wait { try service.deliveries(hook).last?.attempts == 1 }
    func unheard() throws -> Int {
      try service.read { try DeliveryFigures([], at: time.now, $0).unheard }
    }
    #expect(try unheard() == 0)
    service.advance(600)
    #expect(try unheard() == 1)
    service.answer(with: { _ in .answer(204) })
    service.advance(6_000)
    try await service.wait { try service.deliveries(hook).last?.state == .delivered }
    #expect(try unheard() == 0)
  }

  @Test("The figures say when a device has last shown a message")
  func lastSeen() async throws {
    let phone = try subscribe()
    try ring()
    try await service.wait { try service.deliveries(phone).last?.state == .delivered }
    let push = try #require(service.sent.last)
    #expect(try answer(.seen, token(push)) == .init(did: .seen))
    let channel = try service.channel(phone)
    let figures = try service.read { try DeliveryFigures([channel], at: time.now, $0) }
    #expect(channel.seenAt != nil && figures.lastSeen == channel.seenAt)
  }
}
