import MartletJSON
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// Writes events into the outbox of the channels that they are sent to, in the transaction in which
/// they happen. So nothing is sent before it is durable, and nothing that is durable is forgotten.
enum Outbox {
  /// The maximum number of deliveries of a channel that wait. Beyond that an alarm is dead at once,
  /// and changes are not read.
  static let mostWaiting = 10_000
  /// The number of characters of a reminder's notes that are sent.
  static let longestNotes = 4_000

  /// An event that is sent to some channels.
  struct Event {
    let id: String
    let type: ChannelEvent
    let body: String
  }

  /// A channel, and how many more deliveries may wait for it.
  struct Receiver {
    let channel: Channel
    let rights: ChannelRights
    var room: Int

    /// Returns `nil` if nothing may be sent to the channel.
    init?(_ channel: Channel, at now: Instant, _ db: Connection) throws {
      guard let rights = try ChannelRights(of: channel, at: now, db) else { return nil }
      self.channel = channel
      self.rights = rights
      room = Outbox.mostWaiting - (try Outbox.waiting(for: channel.id).fetchOne(db) ?? 0)
    }
  }

  /// The number of deliveries that wait for a channel.
  static func waiting(for channel: Int) -> some Statement<Int> {
    Delivery.where { delivery in
      delivery.channelID == channel
      DeliveryRepository.isIn(.waiting, delivery)
    }.count
  }

  /// The channels to which something is sent.
  static func enabled() -> Where<Channel> { Channel.where { $0.isEnabled } }

  /// A part of every event's ID. A restore sets a new one, because IDs of rows are given again
  /// then.
  static func epoch(_ db: Connection) throws -> String {
    let epoch = try FeedState.find(1).select(\.epoch).fetchOne(db) ?? ""
    let isPlain = epoch.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
      default: false
      }
    }
    // Another program may have written anything. Alarms ring all the same.
    return isPlain && 1...40 ~= epoch.utf8.count
      ? epoch : String(Fingerprint(epoch).value, radix: 36)
  }

  /// The channels that are sent a kind of event.
  static func receivers(
    of type: ChannelEvent, at now: Instant, _ db: Connection
  ) throws -> [Receiver] {
    try enabled().fetchAll(db).filter { $0.sends(type) }
      .compactMap { try Receiver($0, at: now, db) }
  }

  /// Adds alarms that ring. Their state must be stored.
  static func add(
    _ firings: [Firing], to receivers: inout [Receiver], at now: Instant, _ db: Connection
  ) throws {
    guard !firings.isEmpty, !receivers.isEmpty else { return }
    let epoch = try epoch(db)
    for firing in firings {
      let found = Reminder.find(firing.reminderID).select(\.remindersListID)
      guard let list = try found.fetchOne(db) else { continue }
      try add(
        to: &receivers, at: now, due: { now.adding($0.channel.pause) }, db,
        where: { $0.rights.lists.contains(list) }
      ) {
        try alarm(firing, inList: list, epoch, at: now, db)
      }
    }
  }

  /// Adds an event to each receiver that a condition holds for. It is made once, if there is one.
  static func add(
    to receivers: inout [Receiver], at now: Instant, due: (Receiver) -> Instant? = { _ in nil },
    _ db: Connection, where isFor: (Receiver) throws -> Bool, _ make: () throws -> Event
  ) throws {
    var made: Event?
    for place in receivers.indices where try isFor(receivers[place]) {
      let event = try made ?? make()
      made = event
      try add(event, to: &receivers[place], at: now, due: due(receivers[place]), db)
    }
  }

  /// Adds an event to a channel. Returns false if the channel has it. An alarm gets a token if its
  /// reader may answer it, and every message to a device that reports what it has shown.
  ///
  /// - Parameter due: When it is sent; `nil`: at once.
  @discardableResult
  static func add(
    _ event: Event, to receiver: inout Receiver, at now: Instant, due: Instant? = nil,
    _ db: Connection
  ) throws -> Bool {
    let isFull = receiver.room <= 0
    let hasToken =
      receiver.channel.kind == .push || receiver.rights.mayAnswer && event.type == .alarmRinging
    let query = insertion(
      receiver.channel.id, event.id, event.type.rawValue, event.body, isFull ? .dead : .waiting,
      now, now.adding(event.type.lifetime), isFull ? nil : due ?? now, isFull ? now : nil,
      isFull ? "\(mostWaiting) deliveries were waiting for the channel" : nil,
      hasToken ? AnswerToken.makeSecret() : nil)
    try db.statement(for: query).run()
    guard db.changes > 0 else { return false }
    receiver.room -= 1
    return true
  }

  private static let insertion = PreparedQuery<
    Int, String, String, String, DeliveryState, Instant, Instant, Instant?, Instant?, String?,
    String?
  > { channel, event, type, body, state, now, expiresAt, nextAt, endedAt, lastError, token in
    Delivery.insert {
      (
        $0.channelID, $0.eventID, $0.type, $0.body, $0.state, $0.createdAt, $0.expiresAt,
        $0.nextAt, $0.endedAt, $0.lastError, $0.token
      )
    } values: {
      (channel, event, type, body, state, now, expiresAt, nextAt, endedAt, lastError, token)
    }
    .onConflictDoNothing()
  }

  /// Adds a message that tries a channel, and returns its delivery.
  ///
  /// - Parameters:
  ///   - due: When it is sent.
  ///   - data: Writes the content of the event.
  static func addTest(
    to channel: Channel, due: Instant, at now: Instant, _ db: Connection,
    _ data: (inout JSONObjectWriter) throws -> Void
  ) throws -> Int {
    guard var receiver = try Receiver(channel, at: now, db) else {
      throw DomainError.channelDisabled(channel.id)
    }
    let number = UInt64.random(in: 0...UInt64.max)
    let event = Event(
      id: "\(try epoch(db))-test-\(String(number, radix: 36))", type: .test,
      body: try body(of: .test, at: now, data))
    try add(event, to: &receiver, at: now, due: due, db)
    return Int(db.lastInsertRowID)
  }

  // MARK: Bodies

  private static func alarm(
    _ firing: Firing, inList list: Int, _ epoch: String, at now: Instant, _ db: Connection
  ) throws -> Event {
    let body = try body(of: .alarmRinging, at: now) { data in
      try data.member("alarm") {
        try write(AlarmRepository.item(firing.alarmID, among: .all), into: $0, db)
      }
      try write(reminder: firing.reminderID, inList: list, into: &data, db)
    }
    return Event(id: event(of: firing, epoch), type: .alarmRinging, body: body)
  }

  /// The ID of the event of an alarm that rings.
  static func event(of firing: Firing, _ epoch: String) -> String {
    "\(epoch)-alarm-\(firing.id)"
  }

  /// The firing that the event of an alarm is of; `nil` for another event, and if another program
  /// wrote its ID.
  static func firing(of eventID: String) -> Int? {
    let parts = eventID.split(separator: "-")
    guard parts.count == 3, parts[1] == "alarm" || parts[1] == "ended" else { return nil }
    return Int(parts[2])
  }

  /// Writes an event: `{"type": …, "timestamp": …, "data": {…}}`, as Standard Webhooks recommends.
  static func body(
    of type: ChannelEvent, at now: Instant, _ data: (inout JSONObjectWriter) throws -> Void
  ) throws -> String {
    let buffer = ByteBuffer(capacity: 1_024)
    try JSONWriter.object(into: buffer) { event in
      event.member("type", type.rawValue)
      event.member("timestamp", RFC3339.string(now))
      try event.member("data") { buffer in
        try JSONWriter.object(into: buffer) { try data(&$0) }
      }
    }
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  static func write(
    reminder id: Int, inList list: Int, into data: inout JSONObjectWriter, _ db: Connection
  ) throws {
    try data.member("reminder") { try write(item(id), into: $0, db) }
    try data.member("list") { try write(ListRepository.feedItem(list), into: $0, db) }
  }

  /// A reminder as `GET` returns it, with the beginning of its notes.
  private static let item = PreparedQuery<Int> { id in
    Reminder.find(id).select { reminder in
      reminder.item(
        notes: #sql(
          "substr(\(reminder.notes), 1, \(raw: "\(longestNotes)"))", as: String.self))
    }
  }

  static func write(_ query: Query, into buffer: ByteBuffer, _ db: Connection) throws {
    if try !db.writeJSONObject(query, into: buffer) { buffer.append("null") }
  }
}
