import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// The figures of deliveries that an operator watches.
public struct DeliveryFigures: Sendable {
  /// The number of deliveries that wait, at most ``most``.
  public var waiting = 0
  /// The number of deliveries that were given up, at most ``most``.
  public var dead = 0
  /// The number of alarms that have rung for ten minutes, and of which no channel has delivered its
  /// message.
  public var unheard = 0
  /// Whether an alarm rings.
  var hasRinging = false
  /// When a message was last delivered.
  public var lastDelivery: Instant?
  /// When a device has last reported that it has shown a message.
  public var lastSeen: Instant?
  /// Since when each channel fails that does, by its ID.
  public var failing: [(channel: Int, kind: ChannelKind, since: Instant)] = []
  /// Since when the service itself cannot send; `nil` if it can.
  public var cannotSendSince: Instant?

  /// The largest number that is counted.
  static let most = 100_000
  /// How long an alarm has rung that is counted as unheard, in seconds.
  private static let delay: Int64 = 600

  /// The figures of a server without deliveries.
  public init() {}

  init(_ channels: [Channel], at now: Instant, _ db: Connection) throws {
    waiting = try DeliveryFigures.count(.waiting, db)
    dead = try DeliveryFigures.count(.dead, db)
    let ringing = ReminderAlarm.State.ringing.rawValue
    hasRinging = try db.value("SELECT 1 FROM alarms WHERE state = \(ringing) LIMIT 1") != nil
    if hasRinging {
      let sql = """
        SELECT count(*) FROM (SELECT id FROM alarms WHERE state = \(ringing) AND firedAt <= ?
          ORDER BY firedAt DESC LIMIT 1000) AS ringing
        WHERE (SELECT max(deliveries.state IN (\(DeliveryState.delivered.rawValue),
            \(DeliveryState.merged.rawValue))) FROM firings JOIN channels JOIN deliveries
            ON deliveries.channelID = channels.id AND eventID = ? || '-alarm-' || firings.id
          WHERE firings.alarmID = ringing.id) = 0
        """
      let epoch = try Value.text(Outbox.epoch(db))
      let begin = Value.text(SQLiteTime.string(now.adding(seconds: -DeliveryFigures.delay)))
      unheard = Int(try db.query(sql, [begin, epoch]).first?[0].integer ?? 0)
    }
    lastDelivery =
      try Delivery.where { DeliveryRepository.isIn(.delivered, $0) }
      .order { $0.id.desc() }.limit(1).select(\.endedAt).fetchOne(db) ?? nil
    lastSeen = channels.compactMap(\.seenAt).max()
    failing = channels.compactMap { channel in
      channel.failingSince.map { (channel.id, channel.kind, $0) }
    }
    cannotSendSince = try DeliveryFigures.cannotSendSince(db)
  }

  /// Since when the service itself cannot send to channels; `nil` if it can.
  public static func cannotSendSince(_ db: Connection) throws -> Instant? {
    try StoredSettings.find(StoredSettings.rowID).fetchOne(db)?.cannotSendSince
  }

  /// The number of deliveries in a state.
  static func count(_ state: DeliveryState, _ db: Connection) throws -> Int {
    let sql = """
      SELECT count(*) FROM (
        SELECT 1 FROM deliveries WHERE state = \(state.rawValue) LIMIT \(most))
      """
    return Int(try db.value(sql)?.integer ?? 0)
  }
}
