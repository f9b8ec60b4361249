import MartletCourier
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// Reads deliveries, and changes what becomes of them. Every function that takes a connection runs
/// in that connection's transaction.
public enum DeliveryRepository {
  /// Which deliveries are asked for. All conditions that are set must hold.
  public struct Filter: Sendable {
    /// Only those of this channel.
    public var channelID: Int?
    /// Only those in this state.
    public var state: DeliveryState?

    /// All deliveries.
    public init() {}
  }

  /// The query of a single delivery, as a ``DeliveryItem``.
  public static func item(_ id: Int) -> Query {
    Delivery.find(id).select { $0.item }.query
  }

  /// A page of deliveries, the newest first. Throws ``InvalidCursor`` if the cursor belongs to
  /// another filter.
  public static func page(
    _ filter: Filter, _ request: PageRequest
  ) throws(InvalidCursor) -> PageQuery {
    var hash = Fingerprint("deliveries")
    hash.combine(filter.channelID.map { "\($0)" })
    hash.combine(filter.state?.label)
    let last = try request.lastID(for: hash.value)
    let shown = Delivery.where { delivery in
      if let id = filter.channelID { delivery.channelID == id }
      if let state = filter.state { isIn(state, delivery) }
    }
    return PageQuery(
      segments: [
        { limit in
          shown.where { if let last { $0.id < last } }.order { $0.id.desc() }.limit(limit)
            .select { $0.item }.query(hiding: [Delivery.columns.id])
        }
      ],
      keyCount: 1, limit: request.limit, fingerprint: hash.value,
      total: request.wantsTotal ? shown.count.query : nil)
  }

  /// Sends a delivery again, at once, and then as often as a new one. Throws
  /// ``DomainError/notFound(_:)``, and ``DomainError/channelDisabled(_:)``.
  public static func retry(_ id: Int, at now: Instant, _ db: Connection) throws {
    guard let delivery = try Delivery.find(id).fetchOne(db) else {
      throw DomainError.notFound(.delivery(id))
    }
    guard try Channel.find(delivery.channelID).fetchOne(db)?.isEnabled == true else {
      throw DomainError.channelDisabled(delivery.channelID)
    }
    let lifetime = ChannelEvent(rawValue: delivery.type)?.lifetime ?? .seconds(86_400)
    try Delivery.find(id).update {
      $0.state = .waiting
      $0.attempts = 0
      $0.nextAt = now
      $0.endedAt = nil
      $0.expiresAt = now.adding(lifetime)
    }.execute(db)
  }

  // MARK: Sending

  /// The next deliveries of a channel, in the order in which they are sent.
  static func next(of channel: Int, _ count: Int) -> some Statement<Delivery> {
    waiting().where { $0.channelID == channel }
      .order { ($0.nextAt, $0.id) }.limit(count)
  }

  /// The channels for which a delivery waits. Most devices have none, and a household may have two
  /// hundred.
  static func channelsWithWork() -> some Statement<Int> {
    Channel.where { channel in
      #sql(
        """
        EXISTS (SELECT 1 FROM deliveries WHERE deliveries.channelID = \(channel.id) \
        AND deliveries.state = \(raw: "\(DeliveryState.waiting.rawValue)"))
        """, as: Bool.self)
    }.select(\.id)
  }

  /// The deliveries that wait too long, the oldest first.
  static func expiring() -> some Statement<Instant> {
    waiting().order { ($0.expiresAt, $0.id) }.limit(1).select(\.expiresAt)
  }

  static func waiting() -> Where<Delivery> { Delivery.where { isIn(.waiting, $0) } }

  /// A condition for which a partial index is used: the state is a part of its text.
  static func isIn(
    _ state: DeliveryState, _ delivery: Delivery.TableColumns
  ) -> some QueryExpression<Bool> {
    #sql("\(delivery.state) = \(raw: "\(state.rawValue)")", as: Bool.self)
  }

  /// Gives up some of the deliveries that have waited too long, also for a channel that is
  /// disabled.
  static func expire(at now: Instant, _ db: Connection) throws {
    let expired = try waiting().where { $0.expiresAt <= now }.order { ($0.expiresAt, $0.id) }
      .limit(500).select { ($0.id, $0.channelID) }.fetchAll(db)
    guard !expired.isEmpty else { return }
    for id in Set(expired.map(\.1)) {
      guard let channel = try Channel.find(id).fetchOne(db) else { continue }
      try change(channel, db) { disableIfFailing(&$0, at: now) }
    }
    try Delivery.where { $0.id.in(expired.map(\.0)) }.update {
      $0.state = .dead
      $0.nextAt = nil
      $0.endedAt = now
      $0.lastError = #sql("coalesce(\($0.lastError), 'it was not sent in time')")
    }.execute(db)
  }

  /// The outcome of an attempt.
  struct Attempt: Sendable {
    var status: Int?
    /// Why it has failed; `nil` if it has not.
    var error: String?
    /// Whether it is the fault of the receiver, and not of this server.
    var isFromOutside = true
    /// Whether another attempt would fail as well, because the message itself is invalid.
    var isFinal = false
    /// How long to wait before the next attempt, from `Retry-After`.
    var retryAfter: Duration?
    /// Whether a push service has ended the subscription.
    var isLost = false
  }

  /// How long a channel may fail before it is disabled.
  static let patience = Duration.seconds(5 * 86_400)

  /// Stores the outcome of an attempt. Returns the state of the delivery, `nil` if it does not
  /// wait any more.
  static func record(
    _ attempt: Attempt, of id: Int, at now: Instant, _ db: Connection
  ) throws -> DeliveryState? {
    guard var delivery = try Delivery.find(id).fetchOne(db), delivery.state == .waiting,
      let channel = try Channel.find(delivery.channelID).fetchOne(db)
    else { return nil }
    delivery.attempts += 1
    (delivery.lastStatus, delivery.lastError) = (attempt.status, attempt.error)
    if attempt.error == nil {
      (delivery.state, delivery.nextAt, delivery.endedAt) = (.delivered, nil, now)
    } else if !attempt.isFinal, let next = next(of: delivery, channel, attempt, at: now) {
      delivery.nextAt = next
    } else {
      (delivery.state, delivery.nextAt, delivery.endedAt) = (.dead, nil, now)
    }
    try Delivery.find(id).update {
      $0.state = delivery.state
      $0.attempts = delivery.attempts
      $0.nextAt = delivery.nextAt
      $0.endedAt = delivery.endedAt
      $0.lastStatus = delivery.lastStatus
      $0.lastError = delivery.lastError
    }.execute(db)
    try change(channel, db) { channel in
      note(attempt, in: &channel, at: now)
      if delivery.state == .dead { disableIfFailing(&channel, at: now) }
    }
    if attempt.isLost {
      try giveUp(
        waiting().where { $0.channelID == channel.id }, because: attempt.error, at: now, db)
    }
    if delivery.state == .delivered { try Outbox.addEnd(after: delivery, to: channel, at: now, db) }
    return delivery.state
  }

  /// Gives up deliveries.
  static func giveUp(
    _ deliveries: Where<Delivery>, because reason: String?, at now: Instant, _ db: Connection
  ) throws {
    try deliveries.update {
      $0.state = .dead
      $0.nextAt = nil
      $0.endedAt = now
      $0.lastError = reason
    }.execute(db)
  }

  /// Stores what `body` changes of a channel.
  private static func change(
    _ channel: Channel, _ db: Connection, _ body: (inout Channel) -> Void
  ) throws {
    var new = channel
    body(&new)
    if new != channel { try Channel.update(new).execute(db) }
  }

  private static func note(_ attempt: Attempt, in channel: inout Channel, at now: Instant) {
    guard let error = attempt.error else {
      if channel.kind == .push {
        channel.sentAt = now
      } else {
        channel.brokenAt = nil
      }
      return (channel.failingSince, channel.lastError) = (nil, nil)
    }
    channel.lastError = error
    if attempt.isLost { return channel.lose(at: now) }
    guard attempt.isFromOutside else { return }
    channel.failingSince = channel.failingSince ?? now
    if attempt.status == 410 {
      channel.isEnabled = false
      channel.brokenAt = now
      channel.lastError = "the receiver is gone (410); the channel was disabled"
    }
  }

  /// Disables a channel for which a delivery was given up, if nothing was delivered for a long
  /// time. One failed attempt is not enough: the last success may be that old because there was
  /// nothing to send. A channel for people goes on and tries each new alarm.
  private static func disableIfFailing(_ channel: inout Channel, at now: Instant) {
    guard channel.isEnabled, !channel.isForPeople, let since = channel.failingSince,
      now.milliseconds(since: since) >= Int64(patience.wholeMilliseconds)
    else { return }
    channel.isEnabled = false
    channel.brokenAt = channel.brokenAt ?? now
    channel.lastError =
      "nothing was delivered for 5 days; the channel was disabled: \(channel.lastError ?? "")"
  }

  /// The shortest time before the expiry for another attempt.
  private static let margin: Int64 = 60_000

  /// When a delivery is tried again; `nil`: it is given up. The last attempt is made shortly before
  /// it expires.
  private static func next(
    of delivery: Delivery, _ channel: Channel, _ attempt: Attempt, at now: Instant
  ) -> Instant? {
    let pauses =
      delivery.isAlarm(forPeopleBy: channel) ? RetrySchedule.pausesOfAlarms : RetrySchedule.pauses
    guard
      let pause = RetrySchedule.pause(
        after: delivery.attempts, of: delivery.id, in: pauses)
    else { return nil }
    let last = delivery.expiresAt.adding(milliseconds: -margin)
    let wanted = max(pause, attempt.retryAfter ?? .zero)
    let next = min(now.adding(wanted), last)
    return next > now ? next : nil
  }

  /// The deliveries that wait are given up in a database that was restored from a backup: they may
  /// have been sent. Channels go on with what happens from now on. Returns the number given up.
  static func giveUp(at now: Instant, _ db: Connection) throws -> Int {
    try giveUp(waiting(), because: "the database was restored from a backup", at: now, db)
    let count = db.changes
    // What was sent before the backup may not be answered in the restored database.
    try Delivery.where { $0.token.isNot(nil) }.update { $0.token = nil }.execute(db)
    let marks = try Outbox.Marks(db)
    for channel in try Outbox.following().fetchAll(db) { try marks.store(in: channel.id, db) }
    return count
  }
}
