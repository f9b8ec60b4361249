import MartletJSON
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletCourier
@testable import MartletReminders

// Alarms that wait: until no person has answered, or until quiet hours are over.
extension PushTests {
  private func quiet(_ from: String, _ to: String, _ mode: QuietHours.Mode? = nil) -> ChannelWaits {
    var (waits, values) = (ChannelWaits(), QuietHours.Values())
    (values.from, values.to, values.mode) = (from, to, mode)
    waits.quiet = values
    return waits
  }

  private func set(_ waits: ChannelWaits, in id: Int) throws {
    try service.write { db in
      var values = PushRepository.Values()
      values.waits = waits
      try PushRepository.update(id, values, in: .all, among: .all, db)
    }
  }

  private func set(_ waits: ChannelWaits, ofChannel id: Int) throws {
    try service.write { db in
      var values = ChannelRepository.Values()
      values.waits = waits
      try ChannelRepository.update(id, values, db)
    }
  }

  @Test("A way with a pause is taken only if no person has answered by then")
  func after() async throws {
    let phone = try subscribe()
    let hook = try service.make(.webhook, events: ["*"])
    var waits = ChannelWaits()
    waits.after = CivilDuration(milliseconds: 600_000)
    try set(waits, ofChannel: hook)
    #expect(try service.channel(hook).after == "PT10M")
    func alarms() throws -> [Delivery] {
      try service.deliveries(hook).filter { $0.type == "alarm.ringing" }
    }
    func isAnswered() throws -> Bool { try alarms().last?.state == .answered }
    try ring()
    try await service.wait { try service.deliveries(phone).first?.state == .delivered }
    #expect(try alarms().first?.nextAt == time.now.adding(seconds: 600))
    _ = try answer(.done, token(service.sent[0]))
    service.advance(600)
    try await service.wait { try isAnswered() }
    // Its end is not sent either: the receiver has not heard of it.
    try ring("Not answered")
    try await service.wait { try alarms().count == 2 }
    service.advance(599)
    #expect(try alarms().last?.state == .waiting)
    service.advance(1)
    try await service.wait { try alarms().last?.state == .delivered }
    #expect(try service.deliveries(hook).allSatisfy { $0.type != "alarm.ended" })
  }

  @Test("In quiet hours a message makes no sound, unless it is important")
  func silently() async throws {
    let phone = try subscribe()
    var settings = ChannelSettings.Values()
    settings.topic = "t"
    let ntfy = try service.make(.ntfy, settings: settings)
    try set(quiet("11:00", "13:00"), in: phone)
    try service.write { db in
      let hours = #"{"from":"11:00","to":"13:00","mode":"silently"}"#
      try db.execute("UPDATE channels SET quiet = '\(hours)' WHERE id = \(ntfy)")
    }
    for (priority, isQuiet) in [(nil, true), (.high, false)] as [(Reminder.Priority?, Bool)] {
      let before = service.sent.count
      try ring("Dentist", priority)
      let both = try await sent(before + 2)[before...]
      let push = try #require(both.first { $0.push != nil })
      #expect(try payload(push)["quiet"]?.bool == isQuiet)
      #expect(push.push?.urgency == (isQuiet ? .normal : .high))
      let message = try payload(try #require(both.first { $0.push == nil }))
      #expect(message["priority"]?.int64 == (isQuiet ? 2 : 5))
    }
    service.advance(3_600)
    let before = service.sent.count
    try ring()
    let loud = try await sent(before + 2)[before...]
    #expect(try payload(try #require(loud.first { $0.push != nil }))["quiet"]?.bool == false)
  }

  @Test("Or it comes when they are over, if it still rings: so it is at Apple's devices")
  func later() async throws {
    let ids = [try subscribe("a"), try subscribe("b", host: "web.push.apple.com")]
    try set(quiet("11:00", "13:00", .later), in: ids[0])
    try set(quiet("11:00", "13:00", .silently), in: ids[1])
    try ring("Answered")
    try ring("Not answered")
    let end = time.now.adding(seconds: 3_600)
    func deliveries() throws -> [Delivery] { try ids.flatMap { try service.deliveries($0) } }
    try await service.wait { try deliveries().map(\.nextAt) == [end, end, end, end] }
    #expect(service.sent.isEmpty)
    #expect(try deliveries().map(\.expiresAt).allSatisfy { $0 == end.adding(seconds: 86_400) })
    let shell = try file.connect(as: .shell)
    try shell.execute(
      "UPDATE alarms SET acknowledgedAt = '2026-11-20 12:00:01.000' WHERE reminderID = 1")
    service.advance(3_600)
    try await service.wait {
      try deliveries().map(\.state) == [.answered, .delivered, .answered, .delivered]
    }
    #expect(try service.sent.map { try payload($0)["quiet"]?.bool } == [false, false])
  }

  private func ring(_ title: String, _ priority: Reminder.Priority?) throws {
    var values = ReminderRepository.Values()
    (values.listID, values.title, values.priority) = (1, title, priority)
    values.dueDate = .instant(time.now)
    values.alarms = [AlarmTrigger(.at(time.now))]
    try service.write { [time, values] db in
      _ = try ReminderRepository.create(values, at: time.now, in: db)
    }
  }
}

@Suite("Quiet hours")
struct QuietHoursTests {
  @Test(
    arguments: [
      ("22:00", "07:00", "2026-11-20T20:59:59Z", nil),
      ("22:00", "07:00", "2026-11-20T21:00:00Z", "2026-11-21T06:00:00.000Z"),
      ("22:00", "07:00", "2026-11-21T05:59:59Z", "2026-11-21T06:00:00.000Z"),
      ("22:00", "07:00", "2026-11-21T06:00:00Z", nil),
      ("13:00", "15:00", "2026-11-20T12:30:00Z", "2026-11-20T14:00:00.000Z"),
      ("13:00", "15:00", "2026-11-20T14:00:00Z", nil),
      // The clocks go forward from 02:00 to 03:00, and back from 03:00 to 02:00.
      ("22:00", "07:00", "2027-03-27T22:00:00Z", "2027-03-28T05:00:00.000Z"),
      ("22:00", "02:30", "2027-03-27T22:00:00Z", "2027-03-28T01:30:00.000Z"),
      ("22:00", "02:30", "2027-10-30T22:00:00Z", "2027-10-31T00:30:00.000Z"),
      ("22:00", "02:30", "2027-10-31T01:10:00Z", nil),
    ] as [(String, String, String, String?)])
  func ends(_ from: String, _ to: String, _ now: String, _ end: String?) throws {
    let house = try ZoneDatabase.system.zone(named: "Europe/Vienna")
    let hours = QuietHours(from: from, to: to, mode: .later)
    let now = try RFC3339.parse(now)
    #expect(hours.end(at: now, house).map { RFC3339.string($0) } == end)
    let abroad = QuietHours(from: from, to: to, mode: .later, timeZone: "Europe/Vienna")
    #expect(abroad.end(at: now, .utc).map { RFC3339.string($0) } == end)
  }

  @Test(arguments: ["24:00", "7:00", "07:60", "+7:00", "07:+1", "", "07.00", "٠٧:٠٠"])
  func times(_ text: String) {
    #expect(QuietHours.minutes(text) == nil)
  }
}
