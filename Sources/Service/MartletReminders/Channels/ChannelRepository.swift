import MartletCourier
import MartletJSON
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// Reads and changes channels. Every function that takes a connection runs in that connection's
/// transaction.
public enum ChannelRepository {
  /// The values of a channel that a client sets. `nil` leaves a field unchanged.
  public struct Values: Equatable, Sendable {
    /// The name, for people.
    public var name: String?
    /// Where messages are sent.
    public var url: String?
    /// The types of the events that are sent.
    public var events: [String]?
    /// The lists whose reminders are sent; inner `nil`: all.
    public var lists: [Int]??
    /// The values of the settings of its kind.
    public var settings: ChannelSettings.Values?
    /// Whether anything is sent.
    public var isEnabled: Bool?
    /// When alarms are sent.
    public var waits = ChannelWaits()

    /// Values that set nothing.
    public init() {}
  }

  /// The query of a single channel, as a ``ChannelItem``.
  public static func item(_ id: Int) -> Query {
    shown().where { $0.id == id }.select { $0.item }.query
  }

  /// A page of channels, in the order in which they were made. Throws ``InvalidCursor`` if the
  /// cursor belongs to another collection.
  public static func page(_ request: PageRequest) throws(InvalidCursor) -> PageQuery {
    let fingerprint = Fingerprint("channels").value
    let last = try request.lastID(for: fingerprint) ?? 0
    return PageQuery(
      segments: [
        { limit in
          shown().where { $0.id > last }.order { $0.id }.limit(limit).select { $0.item }
            .query(hiding: [Channel.columns.id])
        }
      ],
      keyCount: 1, limit: request.limit, fingerprint: fingerprint,
      total: request.wantsTotal ? shown().count.query : nil)
  }

  /// All channels except push subscriptions, which have routes of their own.
  private static func shown() -> Where<Channel> { Channel.where { $0.kind.isNot(.push) } }

  /// The secret of a webhook, for its receiver; `nil` for other kinds.
  public static func secret(of id: Int, _ db: Connection) throws -> String? {
    try shown().where { $0.id == id }.fetchOne(db)?.secrets.secret?.text
  }

  /// Creates a channel and returns its ID. A webhook gets a secret.
  ///
  /// Throws ``DomainError/invalid(_:_:)`` and ``RuleViolation/tooManyChannels``.
  public static func create(
    _ kind: ChannelKind, _ values: Values, at now: Instant, _ db: Connection
  ) throws -> Int {
    var channel = Channel(
      id: 0, kind: kind, name: values.name ?? "", url: values.url ?? "", events: "[]",
      lists: nil, settings: "{}", credentials: "{}", createdAt: now)
    var secrets = ChannelCredentials()
    if kind == .webhook { secrets.secret = .random() }
    channel.set(secrets)
    try set(&channel, values, db)
    try Channel.insert {
      Channel.Draft(
        kind: kind, name: channel.name, url: channel.url, events: channel.events,
        lists: channel.lists, settings: channel.settings, credentials: channel.credentials,
        isEnabled: channel.isEnabled, isFollowing: channel.isFollowing, createdAt: now,
        after: channel.after, quiet: channel.quiet)
    }.execute(db)
    let id = Int(db.lastInsertRowID)
    try Outbox.Marks(db).store(in: id, db)
    return id
  }

  /// Changes a channel. Throws ``DomainError/notFound(_:)`` if it does not exist, and
  /// ``DomainError/invalid(_:_:)``.
  public static func update(_ id: Int, _ values: Values, _ db: Connection) throws {
    let old = try stored(id, db)
    var channel = old
    try set(&channel, values, db)
    if channel.isEnabled, !old.isEnabled {
      (channel.failingSince, channel.lastError) = (nil, nil)
    }
    if channel.isEnabled != old.isEnabled { channel.brokenAt = nil }
    guard channel != old else { return }
    try Channel.update(channel).execute(db)
    // What has happened while it did not follow is not sent.
    let follows = channel.isFollowing && channel.isEnabled
    if follows, !(old.isFollowing && old.isEnabled) { try Outbox.Marks(db).store(in: id, db) }
  }

  /// The number of deliveries of a channel that are deleted in one transaction.
  static let portion = 2_000

  /// Deletes a portion of the deliveries of a channel that has too many for one transaction.
  /// Returns false if it does not have too many.
  public static func shrink(_ id: Int, _ db: Connection) throws -> Bool {
    guard try shown().where({ $0.id == id }).exists(in: db) else { return false }
    let ids = try Delivery.where { $0.channelID == id }.order { $0.id }.limit(portion)
      .select(\.id).fetchAll(db)
    guard ids.count == portion else { return false }
    try Delivery.where { $0.id.in(ids) }.delete().execute(db)
    return true
  }

  /// Deletes a channel and its deliveries. Throws ``DomainError/notFound(_:)`` if it does not
  /// exist.
  public static func delete(_ id: Int, _ db: Connection) throws {
    guard try shown().where({ $0.id == id }).delete().returning(\.id).fetchOne(db) != nil else {
      throw DomainError.notFound(.channel(id))
    }
  }

  /// Gives a webhook a new secret. Messages are signed with both for a day. Throws
  /// ``DomainError/notFound(_:)``, and ``DomainError/notSigned(_:)`` for another kind.
  public static func rotate(_ id: Int, at now: Instant, _ db: Connection) throws {
    var channel = try stored(id, db)
    guard channel.kind == .webhook else { throw DomainError.notSigned(id) }
    var secrets = channel.secrets
    secrets.previous = secrets.secret
    secrets.previousUntil = now.adding(ChannelCredentials.overlap)
    secrets.secret = .random()
    channel.set(secrets)
    try Channel.update(channel).execute(db)
  }

  /// Adds a message that says that the channel works, and returns its delivery. Throws
  /// ``DomainError/notFound(_:)``, and ``DomainError/channelDisabled(_:)``.
  public static func test(_ id: Int, at now: Instant, _ db: Connection) throws -> Int {
    let channel = try stored(id, db)
    guard channel.isEnabled else { throw DomainError.channelDisabled(id) }
    return try Outbox.addTest(to: channel, due: now, at: now, db) { data in
      try data.member("channel") { try Outbox.write(item(id), into: $0, db) }
    }
  }

  // MARK: What is stored

  private static func stored(_ id: Int, _ db: Connection) throws -> Channel {
    guard let channel = try shown().where({ $0.id == id }).fetchOne(db) else {
      throw DomainError.notFound(.channel(id))
    }
    return channel
  }

  private static func set(_ channel: inout Channel, _ values: Values, _ db: Connection) throws {
    if let name = values.name { channel.name = name }
    if let url = values.url { channel.url = url }
    if let events = values.events {
      channel.events = json(events)
      channel.isFollowing = Channel.follows(events)
    }
    if let lists = values.lists {
      try check(lists, of: channel, among: .all, db)
      channel.lists = lists.map { json($0) }
    }
    if let isEnabled = values.isEnabled { channel.isEnabled = isEnabled }
    try channel.set(values.waits)
    var settings = channel.allSettings
    if let new = values.settings { settings.merge(new) }
    try settings.check(for: channel.kind)
    channel.set(settings)
    try ChannelURL.check(channel.url, for: channel.kind, settings)
  }

  /// Throws ``DomainError/invalid(_:_:)`` if a list does not exist or is not accessible. One that
  /// the channel has stays, so that a client can send back what it has read.
  static func check(
    _ lists: [Int]?, of channel: Channel, among extent: ListExtent, _ db: Connection
  ) throws {
    let known: [Int] = if case .only(let ids) = channel.extent { ids } else { [] }
    for (place, id) in (lists ?? []).enumerated() where !known.contains(id) {
      guard try extent.contains(id) && RemindersList.exists(id, in: db) else {
        throw DomainError.invalid("lists/\(place)", "no list has this ID")
      }
    }
  }

  static func json(_ values: [some JSONWritable]) -> String {
    let buffer = ByteBuffer(capacity: 256)
    values.writeJSON(into: buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }
}
