import MartletCourier
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletReminders

@Suite("Channels that fail", .timeLimit(.minutes(10)))
struct ChannelFailureTests {
  private let file: RemindersFile
  private let time: TestClock

  init() throws {
    file = try RemindersFile()
    time = TestClock(try RFC3339.parse("2026-11-20T12:00:00Z"))
  }

  private func service(
    _ reply: (@Sendable (CourierRequest) -> CourierResult?)? = { _ in .answer(204) }
  ) throws -> ChannelService { try ChannelService(file, at: time, reply: reply) }

  @Test("410 disables a channel at once, and nothing more is sent")
  func gone() async throws {
    let service = try service { _ in .answer(410) }
    let channel = try service.make()
    try service.test(channel)
    try await service.wait { try !service.channel(channel).isEnabled }
    #expect(try service.channel(channel).lastError?.contains("410") == true)
    try service.write {
      try $0.execute(
        """
        INSERT INTO reminders (remindersListID, title) VALUES (1, 'r');
        INSERT INTO alarms (reminderID, at) VALUES (1, '2026-11-20 12:00:00.000')
        """)
    }
    #expect(throws: DomainError.channelDisabled(channel)) { try service.test(channel) }
    #expect(throws: DomainError.channelDisabled(channel)) {
      try service.write { [time] in try DeliveryRepository.retry(1, at: time.now, $0) }
    }
    #expect(service.sent.count == 1)
    // Enabled again, it tries again what waits.
    try service.write { db in
      var changes = ChannelRepository.Values()
      changes.isEnabled = true
      try ChannelRepository.update(channel, changes, db)
    }
    #expect(try service.channel(channel).failingSince == nil)
    service.answer(with: { _ in .answer(204) })
    service.advance(10)
    try await service.wait { try service.deliveries().first?.state == .delivered }
  }

  @Test("A channel that has failed for five days is disabled; one success begins anew")
  func patience() async throws {
    let service = try service { _ in .failure("no route") }
    let channel = try service.make()
    for day in 0..<4 {
      try service.test(channel)
      try await service.wait { try service.deliveries(channel).last?.attempts ?? 0 > 0 }
      #expect(try service.channel(channel).isEnabled, "\(day)")
      service.advance(86_400)
    }
    service.answer(with: { _ in .answer(200) })
    try service.test(channel)
    try await service.wait { try service.channel(channel).failingSince == nil }
    #expect(try service.channel(channel).lastError == nil)
    service.answer(with: { _ in .failure("no route") })
    for _ in 0..<5 {
      let id = try service.test(channel)
      try await service.wait {
        try service.deliveries(channel).last { $0.id == id }?.attempts ?? 0 > 0
      }
      service.advance(86_400)
    }
    try await service.wait { try !service.channel(channel).isEnabled }
    #expect(try service.channel(channel).lastError?.contains("5 days") == true)
  }

  @Test("One failed attempt long after the last event does not disable a channel")
  func rare() async throws {
    let service = try service { _ in .failure("no route") }
    let channel = try service.make()
    for _ in 0..<3 {
      let id = try service.test(channel)
      try await service.wait {
        try service.deliveries(channel).last { $0.id == id }?.attempts ?? 0 > 0
      }
      #expect(try service.channel(channel).isEnabled)
      try service.write { try $0.execute("DELETE FROM deliveries") }
      service.advance(6 * 86_400)
    }
  }

  @Test("A failure of the courier itself is not the receiver's fault")
  func courier() async throws {
    let service = try service { _ in .failure("libcurl.so.4 is missing", .courier) }
    let channel = try service.make()
    try service.test(channel)
    try await service.wait { try service.deliveries(channel).first?.attempts == 1 }
    #expect(try service.channel(channel).failingSince == nil)
    #expect(try service.channel(channel).lastError == "libcurl.so.4 is missing")
  }

  @Test("A message that is too large is given up at once, and the receiver is not blamed")
  func large() async throws {
    let service = try service()
    var settings = ChannelSettings.Values()
    let values = String(repeating: "{{title}}", count: 100)
    settings.body = #"["\#(String(repeating: "é", count: 10_000))\#(values)"]"#
    let channel = try service.make(.template, settings: settings)
    let title = String(repeating: "\u{1F600}", count: 1_000)
    try service.write {
      try $0.execute("INSERT INTO reminders (remindersListID, title) VALUES (1, '\(title)')")
      try $0.execute("INSERT INTO alarms (reminderID, at) VALUES (1, '2026-11-20 12:00:00.000')")
    }
    try await service.wait { try service.deliveries().first?.state == .dead }
    #expect(try service.deliveries().first?.lastError?.contains("262144 bytes") == true)
    #expect(try service.channel(channel).failingSince == nil && service.sent.isEmpty)
  }

  @Test("What is not sent in time is given up, also of a disabled channel")
  func expiry() async throws {
    let service = try service(nil)
    let channel = try service.make()
    try service.test(channel)
    try service.write { try $0.execute("UPDATE channels SET isEnabled = 0") }
    service.advance(86_400 + 1)
    try await service.wait { try service.deliveries().first?.state == .dead }
    #expect(try service.deliveries().first?.lastError == "it was not sent in time")
  }

  @Test("Channels that fail leave room for the others, however many and slow they are")
  func failing() async throws {
    let service = try service { $0.url.hasSuffix("/9") ? .answer(204) : .failure("no answer") }
    let failing = try (1...8).map { _ in try service.make() }
    let good = try service.make()
    for channel in failing { try service.test(channel) }
    try await service.wait {
      try failing.allSatisfy { try service.channel($0).failingSince != nil }
    }
    // From now on they do not answer at all.
    service.answer(with: { $0.url.hasSuffix("/9") ? .answer(204) : nil })
    service.advance(10)
    for channel in failing { try service.test(channel) }
    try await service.wait { service.waiting.count == DeliveryScheduler.mostOfFailing(.webhook) }
    for _ in 0..<20 {
      let id = try service.test(good)
      try await service.wait {
        try service.deliveries(good).last { $0.id == id }?.state == .delivered
      }
    }
    #expect(service.waiting.count == DeliveryScheduler.mostOfFailing(.webhook))
    #expect(Set(service.waiting.map(\.request.url)).count == service.waiting.count)
  }
}
