import MartletCourier
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletReminders

/// Sending on an injected clock. The tests wait for commits and requests, never for time.
@Suite("The scheduler of deliveries", .timeLimit(.minutes(10)))
struct DeliverySchedulerTests {
  private let file: RemindersFile
  private let time: TestClock

  init() throws {
    file = try RemindersFile()
    time = TestClock(try RFC3339.parse("2026-11-20T12:00:00Z"))
  }

  private func service(
    _ reply: (@Sendable (CourierRequest) -> CourierResult?)? = { _ in .answer(204) }
  ) throws -> ChannelService { try ChannelService(file, at: time, reply: reply) }

  private func ring(_ service: ChannelService, _ count: Int = 1) throws {
    let shell = try file.connect(as: .shell)
    for _ in 0..<count {
      try shell.execute("INSERT INTO reminders (remindersListID, title) VALUES (1, 'r')")
      let now = SQLiteTime.string(time.now)
      try shell.execute(
        "INSERT INTO alarms (reminderID, at) VALUES (last_insert_rowid(), '\(now)')")
    }
  }

  @Test("An alarm is put into the outbox with its firing, sent and marked")
  func delivered() async throws {
    let service = try service()
    let channel = try service.make()
    try ring(service)
    try await service.wait { try service.deliveries().first?.state == .delivered }
    let delivery = try #require(try service.deliveries().first)
    #expect(service.sent.count == 1)
    let request = try #require(service.sent.first)
    #expect(request.url == "https://example.com/\(channel)")
    #expect(request.messageID == delivery.eventID && request.secrets.count == 1)
    #expect(String(decoding: request.body, as: UTF8.self) == delivery.body)
    #expect(delivery.eventID.hasSuffix("-alarm-1") && delivery.type == "alarm.ringing")
    #expect(delivery.attempts == 1 && delivery.lastStatus == 204 && delivery.nextAt == nil)
    #expect(service.errors == [])
  }

  @Test("What fails is tried again at growing pauses with the same ID, and then given up")
  func retries() async throws {
    let service = try service { _ in .answer(500) }
    try service.make(events: ["list.changed"])
    let start = time.now
    let shell = try file.connect(as: .shell)
    try shell.execute("UPDATE remindersLists SET title = 'b' WHERE id = 1")
    try await service.read()
    let wanted: [Int64] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000]
    for (index, pause) in wanted.enumerated() {
      try await service.wait { try service.deliveries().first?.attempts == index + 1 }
      let delivery = try #require(try service.deliveries().first)
      let next = try #require(delivery.nextAt).milliseconds(since: time.now)
      #expect((pause * 800...pause * 1_200).contains(next), "\(index): \(next) ms")
      #expect(delivery.lastError == "the receiver answered 500" && delivery.state == .waiting)
      service.go(to: try #require(delivery.nextAt))
    }
    // The last attempt is the tenth, or shortly before the expiry.
    while try service.deliveries().first?.state == .waiting {
      let attempts = try service.deliveries().first?.attempts
      try await service.wait {
        let now = try service.deliveries().first
        return now?.attempts != attempts || now?.state != .waiting
          || now?.nextAt ?? start > time.now
      }
      if let next = try service.deliveries().first?.nextAt { service.go(to: next) }
    }
    let dead = try #require(try service.deliveries().first)
    #expect(dead.state == .dead && (9...10).contains(dead.attempts) && dead.endedAt != nil)
    #expect(time.now.milliseconds(since: start) <= 4 * 86_400_000)
    #expect(Set(service.sent.map(\.messageID)).count == 1 && service.sent.count == dead.attempts)
  }

  private func ntfy(_ service: ChannelService) throws -> Int {
    var settings = ChannelSettings.Values()
    settings.topic = "t"
    return try service.make(.ntfy, settings: settings)
  }

  @Test(
    "An alarm that was answered is not sent to people any more, but to webhooks",
    arguments: [
      "UPDATE alarms SET acknowledgedAt = '2026-11-20 12:00:01.000'",
      "UPDATE alarms SET snoozedUntil = '2027-01-01 00:00:00.000'",
      "UPDATE alarms SET at = '2027-01-01 00:00:00.000'",
      "UPDATE reminders SET status = 1", "DELETE FROM reminders", "DELETE FROM alarms",
    ])
  func answered(_ answer: String) async throws {
    let service = try service { _ in .answer(503) }
    let (phone, hook) = (try ntfy(service), try service.make())
    try ring(service)
    func delivery(_ channel: Int) throws -> Delivery? { try service.deliveries(channel).first }
    try await service.wait {
      try delivery(phone)?.attempts == 1 && delivery(hook)?.attempts == 1
    }
    let shell = try file.connect(as: .shell)
    try shell.execute(answer)
    // The scheduler works out what a change of the shell means for the alarm.
    try await service.wait {
      try shell.value("SELECT 1 FROM alarms WHERE isStale OR state = 1") == nil
    }
    service.advance(7)
    try await service.wait {
      try delivery(phone)?.state == .answered && delivery(hook)?.attempts == 2
    }
    let ended = try #require(try delivery(phone))
    #expect(ended.attempts == 1 && ended.nextAt == nil && ended.endedAt != nil)
    #expect(service.sent.count { $0.url.hasSuffix("/\(phone)") } == 1)
    // A retry by hand ends in the same way.
    try service.write { [time] in try DeliveryRepository.retry(ended.id, at: time.now, $0) }
    try await service.wait { try delivery(phone)?.state == .answered }
    #expect(service.errors == [])
  }

  @Test("While an alarm rings, people are told of its newest firing, soon again")
  func newest() async throws {
    let service = try service { _ in .answer(503) }
    let phone = try ntfy(service)
    try ring(service)
    func first() throws -> Delivery { try #require(try service.deliveries(phone).first) }
    func pause(_ seconds: Int64) throws {
      let next = try #require(try first().nextAt).milliseconds(since: time.now)
      #expect((seconds * 800...seconds * 1_200).contains(next), "\(next) ms")
    }
    try await service.wait { try service.deliveries(phone).first?.attempts == 1 }
    try pause(5)
    service.go(to: try #require(try first().nextAt))
    try await service.wait { try first().attempts == 2 }
    try pause(15)
    // It has rung again before the third attempt.
    try file.connect(as: .shell).execute(
      """
      INSERT INTO firings (alarmID, reminderID, dueAt, rung, firedAt)
      VALUES (1, 1, '2026-11-20 12:00:06.000', 1, '2026-11-20 12:00:06.000')
      """)
    service.go(to: try #require(try first().nextAt))
    try await service.wait { try first().state == .answered }
    #expect(try first().attempts == 2)
  }

  @Test("A dead delivery can be sent again")
  func again() async throws {
    let service = try service()
    let channel = try service.make()
    try service.write { db in
      try db.execute(
        """
        INSERT INTO deliveries
          (channelID, eventID, type, body, state, createdAt, expiresAt, endedAt, attempts)
        VALUES (\(channel), 'x-1', 'alarm.ringing', '{}', 2, '2026-11-01 00:00:00.000',
          '2026-11-02 00:00:00.000', '2026-11-02 00:00:00.000', 9)
        """)
    }
    try service.write { [time] in try DeliveryRepository.retry(1, at: time.now, $0) }
    try await service.wait { try service.deliveries().first?.state == .delivered }
    #expect(try service.deliveries().first?.attempts == 1)
    #expect(service.sent.map(\.messageID) == ["x-1"])
  }

  @Test("Retry-After holds all deliveries of the channel")
  func retryAfter() async throws {
    let service = try service { request in
      request.url.hasSuffix("/1") ? .answer(429, retryAfter: .seconds(3_600)) : .answer(204)
    }
    let (slow, other) = (try service.make(), try service.make())
    try service.test(slow)
    try await service.wait { try service.deliveries(slow).first?.attempts == 1 }
    try service.test(slow)
    for _ in 0..<3 {
      let id = try service.test(other)
      try await service.wait { try service.deliveries().last { $0.id == id }?.state == .delivered }
    }
    #expect(service.sent.count { $0.url.hasSuffix("/1") } == 1)
    #expect(try service.deliveries(slow).map(\.attempts) == [1, 0])
    #expect(try #require(service.deliveries(slow)[0].nextAt) >= time.now.adding(seconds: 3_600))
    service.advance(3_700)
    try await service.wait { service.sent.count { $0.url.hasSuffix("/1") } >= 2 }
  }

  @Test("At most two of a channel and eight in all are sent at once, each channel in its turn")
  func concurrency() async throws {
    let service = try service(nil)
    for _ in 0..<5 {
      let channel = try service.make()
      try service.write { [time] db in
        for _ in 0..<4 { _ = try ChannelRepository.test(channel, at: time.now, db) }
      }
    }
    try await service.wait { service.waiting.count == 8 }
    let first = service.waiting.map(\.request.url)
    for url in Set(first) { #expect(first.count { $0 == url } <= 2) }
    // The fifth channel gets the next turn. The two answers may be stored one after the other, and
    // then the place of the second is for the channel after it.
    let missing = try #require(
      (1...5).map { "https://example.com/\($0)" }.first { !first.contains($0) })
    service.answer(.answer(204), to: first[0])
    try await service.wait { service.waiting.count == 8 }
    #expect(service.waiting[6].request.url == missing)
    var count = 0
    while try service.deliveries().contains(where: { $0.state == .waiting }) {
      service.answer(.answer(204))
      try await service.wait {
        try !service.waiting.isEmpty || !service.deliveries().contains { $0.state == .waiting }
      }
      #expect(service.waiting.count <= 8)
      count += 1
    }
    #expect(service.sent.count == 20 && count < 20)
  }

  @Test("A message whose result cannot be stored is not sent again")
  func unstored() async throws {
    let service = try service()
    let shell = try file.connect(as: .shell)
    let channel = try service.make()
    try shell.execute(
      """
      CREATE TRIGGER no BEFORE UPDATE OF attempts ON deliveries BEGIN SELECT RAISE(ABORT, 'no'); END
      """)
    try service.test(channel)
    for count in 1...3 {
      try await service.wait { service.errors.count >= count }
      service.advance(1)
    }
    try shell.execute("DROP TRIGGER no")
    service.advance(1)
    try await service.wait { try service.deliveries().first?.state == .delivered }
    #expect(service.sent.count == 1)
  }

  @Test("Alarms ring whatever another program has made of the feed")
  func epoch() async throws {
    let service = try service()
    try service.make()
    try service.write { try $0.execute("UPDATE feedState SET epoch = 'A b'") }
    try ring(service)
    try await service.wait { try service.deliveries().first?.state == .delivered }
    #expect(service.errors == [])
  }

  @Test("What was being sent when the server ended is sent again with the same ID")
  func restart() async throws {
    var first: ChannelService? = try service(nil)
    let channel = try #require(try first?.make())
    try first?.test(channel)
    try await first?.wait { first?.waiting.count == 1 }
    let id = first?.sent.first?.messageID
    first = nil
    let second = try service()
    try await second.wait { try second.deliveries().first?.state == .delivered }
    #expect(second.sent.map(\.messageID) == [id])
  }

  @Test("After a rotation both keys sign for a day")
  func rotation() async throws {
    let service = try service()
    let channel = try service.make()
    let old = try service.read { try ChannelRepository.secret(of: channel, $0) }
    try service.write { [time] in
      try ChannelRepository.rotate(channel, at: time.now, $0)
    }
    let new = try service.read { try ChannelRepository.secret(of: channel, $0) }
    #expect(old != new)
    try service.test(channel)
    try await service.wait { try service.deliveries().last?.state == .delivered }
    #expect(service.sent.last?.secrets.map(\.text) == [new ?? "", old ?? ""])
    service.advance(86_400)
    try service.test(channel)
    try await service.wait { try service.deliveries().last?.state == .delivered }
    #expect(service.sent.last?.secrets.map(\.text) == [new ?? ""])
  }

  @Test("A message is sent as its channel is then, whatever changes while others are sent")
  func changedMeanwhile() async throws {
    let service = try service()
    let first = try service.make()
    let second = try service.make()
    let old = try service.read { try ChannelRepository.secret(of: second, $0) }
    service.answer(with: { [weak service, time] request in
      // Between the messages of one channel and the next.
      guard request.url.hasSuffix("/\(first)") else { return .answer(204) }
      try? service?.write { db in
        try ChannelRepository.rotate(second, at: time.now, db)
        _ = try ChannelRepository.test(second, at: time.now, db)
      }
      return .answer(204)
    })
    try service.test(first)
    try await service.wait { try service.deliveries().map(\.state) == [.delivered, .delivered] }
    let new = try service.read { try ChannelRepository.secret(of: second, $0) }
    #expect(service.sent.last?.secrets.map(\.text) == [new ?? "", old ?? ""])
  }

  @Test("A deleted channel takes its deliveries with it, and a late answer changes nothing")
  func deleted() async throws {
    let service = try service(nil)
    let channel = try service.make()
    try service.test(channel)
    try await service.wait { service.waiting.count == 1 }
    try service.write { try ChannelRepository.delete(channel, $0) }
    service.answer(.answer(204))
    let other = try service.make()
    service.answer(with: { _ in .answer(204) })
    try service.test(other)
    try await service.wait { try service.deliveries().map(\.state) == [.delivered] }
    #expect(service.errors == [])
  }

  @Test("Messages of each kind, whatever another program has stored")
  func messages() async throws {
    let service = try service()
    try service.write { db in
      try db.execute(
        """
        UPDATE remindersLists SET title = 'Home';
        INSERT INTO reminders (remindersListID, title, notes, priority, dueDate)
        VALUES (1, 'Say "hi"', 'x\(String(repeating: "y", count: 600))', 2, '2026-11-20');
        INSERT INTO channels (kind, name, url, events, settings, credentials, createdAt)
        SELECT value ->> 0, 'c', 'https://example.com/', value -> 1, value -> 2, value -> 3,
          '2026-11-20 00:00:00.000'
        FROM json_each('[
          [1, ["*"], {"topic": "t"}, {"token": "k"}],
          [2, ["*"], {"method": "PUT", "body": "{{title}}|{{list}}|{{due}}|{{type}}|{{id}}|{{url}}"},
            {"headers": {"content-type": "text/plain"}}],
          [0, [1], {}, {"secret": 7}],
          [1, ["alarm.ringing"], {"topic": [7]}, {}]]');
        """)
      try db.execute(
        """
        INSERT INTO alarms (reminderID, at) VALUES (1, '2026-11-20 12:00:00.000');
        UPDATE channels SET settings = '{"topic":[7]}' WHERE kind = 0;
        """)
    }
    try await service.wait {
      let all = try service.deliveries()
      return all.count == 3 && all.allSatisfy { $0.attempts == 1 }
    }
    let bodies = service.sent.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(service.sent.count == 2)
    #expect(
      bodies.contains(
        #"{"topic":"t","title":"Say \"hi\"","message":"x\#(String(repeating: "y", count: 499))","#
          + #""priority":4,"click":"https://todo.example.org/#/reminders/1"}"#), "\(bodies)")
    #expect(
      bodies.contains(
        #"Say "hi"|Home|2026-11-20|alarm.ringing|1|https://todo.example.org/#/reminders/1"#))
    let template = try #require(service.sent.first { $0.method == .put })
    #expect(template.fields == [CourierRequest.Field("content-type", "text/plain")])
    let ntfy = try #require(service.sent.first { $0.method == .post })
    #expect(ntfy.fields.contains(CourierRequest.Field("Authorization", "Bearer k")))
    #expect(try service.channel(4).lastError == "the settings of the channel are invalid")
    #expect(service.errors == [])
  }

  @Test("Beyond the limit of waiting deliveries an alarm is dead at once")
  func full() async throws {
    let service = try service(nil)
    let channel = try service.make()
    let now = SQLiteTime.string(time.now)
    try service.write { db in
      try db.execute(
        """
        INSERT INTO deliveries (channelID, eventID, type, body, createdAt, expiresAt, nextAt)
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Outbox.mostWaiting - 1))
        SELECT \(channel), 'e-' || i, 'alarm.ringing', '{}', '\(now)', '2026-11-21 12:00:00.000', '\(now)' FROM n
        """)
    }
    try ring(service, 2)
    try await service.wait { try service.deliveries().count == Outbox.mostWaiting + 1 }
    #expect(try service.deliveries().suffix(2).map(\.state) == [.waiting, .dead])
    #expect(try service.deliveries().last?.lastError?.contains("10000 deliveries") == true)
  }
}
