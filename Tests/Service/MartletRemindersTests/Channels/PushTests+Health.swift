import MartletJSON
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletCourier
@testable import MartletReminders

// Channels and devices that do not work, and what people hear of it.
extension PushTests {
  @Test("People hear once that a device is lost, by the other ways to them")
  func broken() async throws {
    let (own, other, admin) = (try key(), try key(), try key("admin"))
    let id = try subscribe("lost", by: own)
    for (path, key) in [("own", own), ("other", other), ("admin", admin)] {
      try subscribe(path, by: key)
    }
    var settings = ChannelSettings.Values()
    settings.topic = "t"
    try service.make(.ntfy, events: ["list.deleted"], settings: settings)
    try service.make(.webhook)
    let hook = try service.make(.webhook, events: ["channel.broken"])
    service.answer(with: { .answer($0.url.hasSuffix("lost") ? 410 : 201) })
    try ring()
    // The alarm at five places, and the news of the lost device at four.
    let all = try await sent(9)
    let news = all.filter { String(decoding: $0.body, as: UTF8.self).contains("Phone lost") }
    #expect(
      Set(news.map(\.url)) == [
        "https://push.example/own", "https://push.example/admin", "https://example.com/5",
        "https://example.com/\(hook)",
      ])
    let push = try #require(news.first { $0.push != nil })
    #expect(try payload(push)["kind"]?.string == "broken" && push.push?.urgency == .normal)
    #expect(try payload(push)["since"]?.string == "2026-11-20T12:00:00.000Z")
    #expect(push.problem == nil)
    #expect(try service.channel(id).brokenAt == time.now)
    // Again after a week, and not every hour.
    for _ in 0..<30 {
      service.advance(6 * 3_600)
      try await settled()
    }
    try await service.wait { try service.deliveries(hook).count == 2 }
    _ = try await sent(13)
  }

  @Test("A device that shows nothing is broken after three alarms and an hour, until it shows one")
  func unseen() async throws {
    let id = try subscribe()
    for number in 1...3 {
      try ring()
      _ = try await sent(number)
      service.advance(60)
    }
    let token = try token(service.sent[2])
    #expect(try service.channel(id).brokenAt == nil)
    service.advance(7_200)
    try await service.wait { try service.channel(id).brokenAt != nil }
    #expect(try answer(.seen, token) == .init(did: .seen))
    #expect(try service.channel(id).brokenAt == nil)
  }

  @Test("A channel that fails for a day is broken, until a message arrives")
  func failing() async throws {
    let id = try service.make(.webhook)
    service.answer(with: { _ in .answer(500) })
    try ring()
    try await service.wait { try service.channel(id).failingSince != nil }
    service.advance(20 * 3_600)
    try await settled()
    #expect(try service.channel(id).brokenAt == nil)
    service.advance(5 * 3_600)
    try await service.wait { try service.channel(id).brokenAt != nil }
    service.answer(with: { _ in .answer(204) })
    try service.test(id)
    try await service.wait { try service.channel(id).brokenAt == nil }
  }
}
