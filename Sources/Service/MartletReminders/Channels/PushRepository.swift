import MartletCourier
import MartletJSON
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// Reads and changes push subscriptions, and the key pair of the server. Every function that takes
/// a connection runs in that connection's transaction.
public enum PushRepository {
  /// The subscriptions that a caller may see.
  public enum Extent: Hashable, Sendable {
    /// All of them: the caller is an administrator, or there are no keys.
    case all
    /// The subscriptions that this API key has made.
    case ofKey(Int)
  }

  /// The values of a subscription that a client sets. `nil` leaves a field unchanged.
  public struct Values: Equatable, Sendable {
    /// The name of the device.
    public var name: String?
    /// The lists whose alarms are sent; inner `nil`: all that the key may read.
    public var lists: [Int]??
    /// When alarms are sent.
    public var waits = ChannelWaits()

    /// Values that set nothing.
    public init() {}
  }

  // MARK: The server's keys

  /// The key pair of the server; `nil` before the first use.
  static func key(_ db: Connection) throws -> VAPIDKey? {
    try PushKey.find(PushKey.rowID).fetchOne(db)?.pair
  }

  /// The public key of the server in Base64 for URLs; `nil` before the first use.
  public static func publicKey(_ db: Connection) throws -> String? { try key(db)?.publicKey }

  /// Stores a new key pair unless there is one, and returns the public key of the one that is
  /// stored.
  public static func store(_ new: VAPIDKey, at now: Instant, _ db: Connection) throws -> String {
    if let key = try key(db) { return key.publicKey }
    try PushKey.find(PushKey.rowID).delete().execute(db)
    try PushKey.insert {
      PushKey(
        id: PushKey.rowID, privateKey: new.privateKey, publicKey: new.publicKey, createdAt: now)
    }.execute(db)
    return new.publicKey
  }

  /// Deletes the key pair of the server, for which every subscription was made: all of them end.
  /// Devices subscribe again when their app is next opened.
  public static func reset(at now: Instant, _ db: Connection) throws {
    try PushKey.find(PushKey.rowID).delete().execute(db)
    let reason = "the key of the server was deleted"
    for var channel in try shown(.all).fetchAll(db) where channel.lostAt == nil {
      channel.lose(at: now)
      channel.lastError = reason
      try Channel.update(channel).execute(db)
      try DeliveryRepository.giveUp(
        DeliveryRepository.waiting().where { $0.channelID == channel.id }, because: reason,
        at: now, db)
    }
  }

  // MARK: Subscriptions

  /// The query of a single subscription, as a ``PushSubscriptionItem``.
  public static func item(_ id: Int, in extent: Extent) -> Query {
    shown(extent).where { $0.id == id }.select { $0.subscription }.query
  }

  /// A page of subscriptions, in the order in which they were made. Throws ``InvalidCursor`` if the
  /// cursor belongs to another collection.
  public static func page(
    _ extent: Extent, _ request: PageRequest
  ) throws(InvalidCursor) -> PageQuery {
    var hash = Fingerprint("push")
    if case .ofKey(let id) = extent { hash.combine("\(id)") }
    let last = try request.lastID(for: hash.value) ?? 0
    let shown = shown(extent)
    return PageQuery(
      segments: [
        { limit in
          shown.where { $0.id > last }.order { $0.id }.limit(limit).select { $0.subscription }
            .query(hiding: [Channel.columns.id])
        }
      ],
      keyCount: 1, limit: request.limit, fingerprint: hash.value,
      total: request.wantsTotal ? shown.count.query : nil)
  }

  /// Stores a subscription. One with the same endpoint is replaced, whatever key has made it: the
  /// device has signed in anew. Throws ``DomainError/invalid(_:_:)`` and
  /// ``DomainError/tooManySubscriptions(_:)``.
  ///
  /// - Parameters:
  ///   - key: The API key of the caller; `nil` if there are no keys.
  ///   - lists: The lists that the caller may access.
  /// - Returns: The ID, and whether it is new.
  public static func subscribe(
    _ new: PushSubscription, _ values: Values, by key: Int?, among lists: ListExtent,
    at now: Instant, _ db: Connection
  ) throws -> (id: Int, isNew: Bool) {
    let events = [ChannelEvent.alarmRinging, .alarmEnded].map(\.rawValue)
    let old = try shown(.all).where { $0.url == new.endpoint }.fetchOne(db)
    var channel =
      old
      ?? Channel(
        id: 0, kind: .push, name: "", url: "", events: ChannelRepository.json(events), settings: "",
        credentials: "", createdAt: now)
    channel.set(new)
    (channel.keyID, channel.isEnabled) = (key, true)
    (channel.failingSince, channel.lastError) = (nil, nil)
    (channel.lostAt, channel.brokenAt) = (nil, nil)
    try set(&channel, values, among: lists, db)
    if let old {
      if old != channel { try Channel.update(channel).execute(db) }
      return (old.id, false)
    }
    try checkRoom(for: key, db)
    try Channel.insert {
      Channel.Draft(
        kind: .push, name: channel.name, url: channel.url, events: channel.events,
        lists: channel.lists, settings: channel.settings, credentials: channel.credentials,
        createdAt: now, keyID: key, after: channel.after, quiet: channel.quiet)
    }.execute(db)
    return (Int(db.lastInsertRowID), true)
  }

  /// Changes a subscription. Throws ``DomainError/notFound(_:)`` and
  /// ``DomainError/invalid(_:_:)``.
  public static func update(
    _ id: Int, _ values: Values, in extent: Extent, among lists: ListExtent, _ db: Connection
  ) throws {
    let old = try stored(id, in: extent, db)
    var channel = old
    try set(&channel, values, among: lists, db)
    if channel != old { try Channel.update(channel).execute(db) }
  }

  /// Deletes a subscription and what waits for it. Throws ``DomainError/notFound(_:)``.
  public static func delete(_ id: Int, in extent: Extent, _ db: Connection) throws {
    _ = try stored(id, in: extent, db)
    try Channel.find(id).delete().execute(db)
  }

  /// The maximum number of tests of a subscription in an hour.
  public static let mostTests = 6

  /// Adds a message that the device shows, and returns its delivery. Throws
  /// ``DomainError/notFound(_:)``, ``DomainError/subscriptionLost(_:)`` and
  /// ``DomainError/tooManyTests(_:)``.
  ///
  /// - Parameter delay: How long it waits, so that a person can lock the phone.
  public static func test(
    _ id: Int, after delay: Duration, in extent: Extent, at now: Instant, _ db: Connection
  ) throws -> Int {
    let channel = try stored(id, in: extent, db)
    guard channel.isEnabled else { throw DomainError.subscriptionLost(id) }
    let hour = now.adding(seconds: -3_600)
    let before = try Delivery.where { delivery in
      delivery.channelID == id && delivery.type == ChannelEvent.test.rawValue
        && delivery.createdAt > hour
    }.order { $0.id }.select(\.createdAt).fetchAll(db)
    if before.count >= mostTests {
      let wait = before[0].adding(seconds: 3_600).milliseconds(since: now)
      throw DomainError.tooManyTests(Int(wait + 999) / 1_000)
    }
    return try Outbox.addTest(to: channel, due: now.adding(delay), at: now, db) { data in
      try data.member("subscription") { try Outbox.write(item(id, in: .all), into: $0, db) }
    }
  }

  // MARK: What is stored

  private static func shown(_ extent: Extent) -> Where<Channel> {
    Channel.where { channel in
      channel.kind == .push
      if case .ofKey(let id) = extent { channel.keyID.is(id) }
    }
  }

  private static func stored(_ id: Int, in extent: Extent, _ db: Connection) throws -> Channel {
    guard let channel = try shown(extent).where({ $0.id == id }).fetchOne(db) else {
      throw DomainError.notFound(.subscription(id))
    }
    return channel
  }

  private static func set(
    _ channel: inout Channel, _ values: Values, among extent: ListExtent, _ db: Connection
  ) throws {
    if let name = values.name { channel.name = name }
    try channel.set(values.waits)
    guard let lists = values.lists else { return }
    try ChannelRepository.check(lists, of: channel, among: extent, db)
    channel.lists = lists.map { ChannelRepository.json($0) }
  }

  /// Throws ``DomainError/tooManySubscriptions(_:)``, with the name of the one that could go.
  private static func checkRoom(for key: Int?, _ db: Connection) throws {
    let mine = shown(key.map { .ofKey($0) } ?? .all)
    let most = key == nil ? PushSubscriptionItem.most : PushSubscriptionItem.mostOfKey
    guard
      try mine.count.fetchOne(db) ?? 0 >= most
        || shown(.all).count.fetchOne(db) ?? 0 >= PushSubscriptionItem.most
    else { return }
    let oldest = try mine.order { $0.seenAt.ifnull($0.createdAt) }.limit(1).select(\.name)
      .fetchOne(db)
    throw DomainError.tooManySubscriptions(oldest)
  }
}
