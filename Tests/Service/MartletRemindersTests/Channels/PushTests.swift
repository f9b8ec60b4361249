import MartletJSON
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletCourier
@testable import MartletReminders

/// Push subscriptions on an injected clock. The courier is played by the test.
@Suite("Push subscriptions", .timeLimit(.minutes(10)))
struct PushTests {
  let file: RemindersFile
  let time: TestClock
  let service: ChannelService

  init() throws {
    file = try RemindersFile()
    time = TestClock(try RFC3339.parse("2026-11-20T12:00:00Z"))
    service = try ChannelService(file, at: time, reply: { _ in .answer(201) })
    try service.write { [time] db in
      let key = try #require(
        VAPIDKey(privateBytes: .init(repeating: 3, count: 32), publicBytes: point))
      _ = try PushRepository.store(key, at: time.now, db)
    }
  }

  /// Adds an API key, and returns its ID.
  func key(_ scope: String = "write", lists: [Int]? = nil) throws -> Int {
    try service.write { db in
      try db.execute(
        """
        INSERT INTO apiKeys (name, scope, isLimited, hash, createdAt)
        VALUES ('k', '\(scope)', \(lists == nil ? 0 : 1), '', 0)
        """)
      let id = Int(db.lastInsertRowID)
      for list in lists ?? [] {
        try db.execute("INSERT INTO apiKeyParts (keyID, part) VALUES (\(id), \(list))")
      }
      return id
    }
  }

  @discardableResult
  func subscribe(
    _ path: String = "a", by key: Int? = nil, lists: [Int]? = nil, among: ListExtent = .all,
    host: String = "push.example"
  ) throws -> Int {
    var values = PushRepository.Values()
    values.name = "Phone \(path)"
    values.lists = .some(lists)
    let recipient = try #require(
      PushRecipient(
        p256dh: Base64.encode(url: point), auth: Base64.encode(url: .init(repeating: 2, count: 16)))
    )
    let subscription = PushSubscription(
      endpoint: "https://\(host)/\(path)", recipient: recipient, contact: nil)
    return try service.write { [time, values] db in
      try PushRepository.subscribe(
        subscription, values, by: key, among: among, at: time.now, db
      ).id
    }
  }

  /// Makes a reminder that rings now.
  @discardableResult
  func ring(inList list: Int = 1, _ title: String = "Dentist", early: Bool = false) throws
    -> Int
  {
    var values = ReminderRepository.Values()
    (values.listID, values.title) = (list, title)
    values.dueDate = .instant(time.now.adding(seconds: early ? 3_600 : 0))
    values.alarms = [AlarmTrigger(.at(time.now))]
    return try service.write { [time, values] db in
      try ReminderRepository.create(values, at: time.now, in: db)
    }
  }

  func sent(_ count: Int) async throws -> [CourierRequest] {
    try await service.wait { service.sent.count == count && service.waiting.isEmpty }
    try await settled()
    return service.sent
  }

  /// Waits until nothing is to be sent now.
  func settled() async throws {
    try await service.wait {
      try service.deliveries().allSatisfy { $0.state != .waiting || $0.nextAt! > time.now }
    }
  }

  func payload(_ request: CourierRequest) throws -> JSONObject {
    try #require(JSONValue.stored(String(decoding: request.body, as: UTF8.self))?.object)
  }

  func token(_ request: CourierRequest) throws -> AnswerToken {
    try #require(try payload(request)["token"]?.string.flatMap { AnswerToken($0) })
  }

  func answer(_ answer: AlarmAnswer, _ token: AnswerToken) throws -> AnswerRepository
    .Result?
  {
    try service.write { [time] in
      try AnswerRepository.answer(answer, by: token, minutes: 10, at: time.now, in: .utc, $0)
    }
  }

  @Test("An alarm reaches the device with its text, its buttons and a token")
  func rings() async throws {
    let id = try subscribe()
    try ring()
    let request = try #require(try await sent(1).first)
    #expect(request.url == "https://push.example/a")
    let push = try #require(request.push)
    #expect(push.subject == "mailto:operator@example.com" && push.urgency == .high)
    #expect(push.timeToLive == .seconds(86_400) && push.about == "alarm 1")
    let message = try payload(request)
    #expect(message["v"]?.int64 == 1 && message["kind"]?.string == "ring")
    #expect(message["title"]?.string == "Dentist" && message["reminder"]?.int64 == 1)
    #expect(message["due"]?.string == "2026-11-20T12:00:00.000Z")
    #expect(message["do"]?.array?.compactMap(\.string) == ["done", "snooze"])
    #expect(try answer(.look, token(request))?.reminder?.title == "Dentist")
    #expect(try service.channel(id).seenAt == nil)
    #expect(try answer(.seen, token(request)) == .init(did: .seen))
    #expect(try service.channel(id).seenAt == time.now)
    #expect(try service.channel(id).sentAt == time.now)
    #expect(try answer(.done, token(request)) == .init(did: .done))
    #expect(try answer(.seen, token(request)) == .init(did: .seen))
  }

  @Test("Every text fits into a message", arguments: ["😀", "\"", "\u{1}", "\\", "a", "ä"])
  func longTexts(_ character: String) async throws {
    try service.write { db in
      try db.execute("UPDATE remindersLists SET title = '\(String(repeating: "😀", count: 200))'")
    }
    try subscribe()
    try ring(String(repeating: character, count: 1_000), early: true)
    let request = try #require(try await sent(1).first)
    #expect(request.problem == nil && request.body.count > 400)
    #expect(try payload(request)["do"]?.array?.compactMap(\.string) == ["stop", "snooze"])
  }

  @Test("A key's lists and scope decide what its device gets and may do, also later")
  func rights() async throws {
    try service.write { db in
      try db.execute("INSERT INTO remindersLists (id, title) VALUES (7, 'Other')")
    }
    let limited = try key(lists: [1])
    let reader = try key("read")
    try subscribe("limited", by: limited, among: .only([1]))
    try subscribe("reader", by: reader)
    #expect(throws: DomainError.invalid("lists/0", "no list has this ID")) {
      try subscribe("other", by: limited, lists: [7], among: .only([1]))
    }
    let reminder = try ring(inList: 7)
    var all = try await sent(1)
    #expect(all[0].url.hasSuffix("reader"))
    #expect(try payload(all[0])["do"]?.array?.isEmpty == true)
    #expect(try answer(.done, token(all[0])) == nil)
    #expect(try answer(.seen, token(all[0])) == .init(did: .seen))
    #expect(try service.read { try $0.value("SELECT status FROM reminders") }?.integer == 0)
    // What the limited key may write, until its list is taken from it.
    try ring(inList: 1)
    all = try await sent(3)
    let mine = try #require(all.first { $0.url.hasSuffix("limited") })
    try service.write { try $0.execute("UPDATE reminders SET remindersListID = 7") }
    #expect(try answer(.done, token(mine)) == nil)
    _ = reminder
  }

  @Test("What waits for a device is dropped when its key may not see the list any more")
  func hidden() async throws {
    try service.write { db in
      try db.execute("INSERT INTO remindersLists (id, title) VALUES (7, 'Other')")
    }
    service.answer(with: { _ in .answer(503) })
    let id = try subscribe(by: try key(lists: [1]))
    let reminder = try ring()
    _ = try await sent(1)
    try service.write {
      try $0.execute("UPDATE reminders SET remindersListID = 7 WHERE id = \(reminder)")
    }
    service.advance(60)
    try await service.wait { try service.deliveries(id).allSatisfy { $0.state == .dead } }
    #expect(service.sent.count == 1)
    #expect(try service.deliveries(id).first?.lastError?.contains("may not see") == true)
  }

  @Test("A subscription ends with its key, and one without a key with the first key")
  func keys() async throws {
    let free = try subscribe("free")
    let id = try key()
    try await service.wait { try service.read { try Channel.find(free).fetchOne($0) } == nil }
    try subscribe("revoked", by: id)
    let other = try key()
    try subscribe("deleted", by: other)
    try service.write { db in
      try db.execute("UPDATE apiKeys SET revokedAt = 1 WHERE id = \(id)")
      try db.execute("DELETE FROM apiKeys WHERE id = \(other)")
    }
    try ring()
    try await service.wait { try service.read { try Channel.all.fetchAll($0) }.isEmpty }
    #expect(service.sent.isEmpty)
  }

  @Test("An expired key gets nothing, and its subscription stays")
  func expired() async throws {
    let id = try key()
    let mine = try subscribe(by: id)
    let end = time.now.milliseconds
    try service.write { try $0.execute("UPDATE apiKeys SET expiresAt = \(end) WHERE id = \(id)") }
    try ring()
    let hook = try service.make(events: ["list.deleted"])
    try service.test(hook)
    #expect(try await sent(1).map(\.url) == ["https://example.com/\(hook)"])
    #expect(try service.deliveries(mine).isEmpty)
    #expect(try service.channel(mine).isEnabled)
  }

  @Test("An alarm that ends is looked for once, also if the only device is that of an expired key")
  func endsWithoutReceivers() async throws {
    let id = try key()
    try subscribe(by: id)
    try ring()
    _ = try await sent(1)
    let now = time.now
    try service.write { db in
      try db.execute("UPDATE apiKeys SET expiresAt = \(now.milliseconds) WHERE id = \(id)")
      try db.execute("UPDATE alarms SET acknowledgedAt = '2026-11-20 12:00:00.000', state = 3")
      try Outbox.addEnds(at: now, db)
      #expect(try !Outbox.hasEnds(at: now, db))
    }
    #expect(service.sent.count == 1)
  }

  @Test("A push service that has ended a subscription gets nothing more", arguments: [404, 410])
  func lost(status: Int) async throws {
    let id = try subscribe()
    service.answer(with: { _ in .answer(status) })
    try ring()
    _ = try await sent(1)
    let channel = try service.channel(id)
    #expect(channel.lostAt == time.now && !channel.isEnabled && channel.credentials == "{}")
    #expect(channel.url == "https://push.example" && channel.failingSince == nil)
    #expect(channel.lastError?.contains("\(status)") == true)
    #expect(try service.deliveries(id).map(\.state) == [.dead])
    try ring()
    #expect(throws: DomainError.subscriptionLost(id)) {
      try service.write { [time] in
        try PushRepository.test(id, after: .zero, in: .all, at: time.now, $0)
      }
    }
    // The same device subscribes again.
    service.answer(with: { _ in .answer(201) })
    #expect(try subscribe("b") != id)
    service.advance(30 * 86_400)
    try ring()
    try await service.wait { try service.read { try Channel.find(id).fetchOne($0) } == nil }
  }

  @Test("Refusals are final and say why, other failures are tried again")
  func failures() async throws {
    let id = try subscribe()
    var result = CourierResult.answer(403)
    result.reason = PushReason("BadJwtToken")
    result.clockDifference = .seconds(-720)
    service.answer(with: { [result] _ in result })
    try ring()
    _ = try await sent(1)
    #expect(try service.deliveries(id).map(\.state) == [.dead])
    #expect(
      try service.channel(id).lastError
        == "the push service answered 403 (BadJwtToken); its clock is 12 minutes behind that of this server"
    )
    #expect(try service.channel(id).failingSince == time.now)
    service.answer(with: { _ in .answer(503) })
    try ring()
    _ = try await sent(2)
    // It goes on after five days, and a success ends the failure.
    service.advance(6 * 86_400)
    service.answer(with: { _ in .answer(201) })
    try ring()
    _ = try await sent(3)
    #expect(try service.channel(id).isEnabled && service.channel(id).failingSince == nil)
  }

  @Test("What is answered on one device ends on the others that had it, and not at Apple")
  func ended() async throws {
    let other = try subscribe("other")
    let apple = try subscribe("apple", host: "web.push.apple.com")
    try ring()
    let all = try await sent(2)
    let later = try subscribe("later")
    #expect(try answer(.stop, token(all[0])) == .init(did: .stopped))
    let end = try #require(try await sent(3).last)
    #expect(end.url == "https://push.example/other" && end.push?.about == "alarm 1")
    #expect(end.push?.urgency == .normal)
    let message = try payload(end)
    #expect(message["kind"]?.string == "ended" && message["alarm"]?.int64 == 1)
    #expect(message["reminder"]?.int64 == 1 && message["firing"]?.int64 == 1)
    #expect(try service.deliveries(other).count == 2)
    #expect(try service.deliveries(apple).count == 1 && service.deliveries(later).isEmpty)
  }

  @Test("An alarm that is answered while it is sent ends afterwards")
  func endedWhileSent() async throws {
    service.answer(with: nil)
    let id = try subscribe()
    try ring()
    try await service.wait { service.waiting.count == 1 }
    #expect(try answer(.stop, token(service.sent[0])) == .init(did: .stopped))
    try await service.wait {
      try service.read { try $0.value("SELECT 1 FROM firings WHERE endedAt IS NOT NULL") } != nil
    }
    #expect(try service.deliveries(id).count == 1)
    service.answer(with: { _ in .answer(201) })
    service.answer(.answer(201))
    #expect(try payload(try await sent(2)[1])["kind"]?.string == "ended")
  }

  @Test("The same endpoint replaces a subscription, whatever key it had")
  func again() throws {
    let (first, second) = (try key(), try key())
    let id = try subscribe(by: first)
    #expect(try subscribe(by: second) == id)
    #expect(try service.channel(id).keyID == second)
    #expect(throws: DomainError.notFound(.subscription(id))) {
      try service.write { try PushRepository.delete(id, in: .ofKey(first), $0) }
    }
    try service.write { try PushRepository.delete(id, in: .ofKey(second), $0) }
  }

  @Test("A key has at most ten subscriptions, all keys 200, and channels have their own limit")
  func limits() throws {
    let id = try key()
    for number in 0..<10 {
      service.advance(1)
      try subscribe("\(number)", by: id)
    }
    #expect(throws: DomainError.tooManySubscriptions("Phone 0")) { try subscribe("x", by: id) }
    try subscribe("3", by: id)
    for _ in 1..<20 {
      let other = try key()
      for number in 0..<10 { try subscribe("\(other)-\(number)", by: other) }
    }
    let last = try key()
    #expect(throws: DomainError.tooManySubscriptions(nil)) { try subscribe("y", by: last) }
    #expect(throws: SQLiteError.self) {
      try service.write { db in
        try db.execute(
          """
          INSERT INTO channels (kind, name, url, events, createdAt, keyID)
          VALUES (3, 'a', 'https://push.example/z', '[]', '2026-01-01 00:00:00.000', \(last))
          """)
      }
    }
    for _ in 0..<50 { try service.make() }
    #expect(throws: SQLiteError.self) { try service.make() }
  }

  @Test("A device can be tried six times in an hour, and later than now")
  func tests() async throws {
    let id = try subscribe()
    func test(after delay: Duration = .zero) throws {
      _ = try service.write { [time] in
        try PushRepository.test(id, after: delay, in: .all, at: time.now, $0)
      }
    }
    try test(after: .seconds(10))
    for _ in 0..<5 { try test() }
    _ = try await sent(5)
    service.advance(10)
    let request = try #require(try await sent(6).last)
    #expect(try payload(request)["kind"]?.string == "test")
    #expect(try payload(request)["name"]?.string == "Phone a" && request.push?.about == "test")
    #expect(try answer(.seen, token(request)) == .init(did: .seen))
    #expect(throws: DomainError.tooManyTests(3_590)) { try test() }
    service.advance(3_600)
    try test()
    _ = try await sent(7)
  }

  @Test("A restored backup accepts no token of before, and keeps the subscription")
  func restored() async throws {
    let id = try subscribe()
    try ring()
    let token = try token(try await sent(1)[0])
    try service.write { [time] in _ = try DeliveryRepository.giveUp(at: time.now, $0) }
    #expect(try answer(.seen, token) == nil)
    #expect(try service.channel(id).isEnabled)
  }
}

private let point: [UInt8] = [4] + [UInt8](repeating: 1, count: 64)
