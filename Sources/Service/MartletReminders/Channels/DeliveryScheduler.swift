import Dispatch
import MartletCourier
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization

/// Sends what waits in the outbox, and tries again what has failed.
///
/// A delivery that is being sent when the process ends is sent again after the next start, with the
/// same ID: each one is sent at least once.
public final class DeliveryScheduler: Sendable {
  /// Sends a request, and calls the completion once.
  public typealias Send =
    @Sendable (
      CourierRequest, _ completion: @escaping @Sendable (CourierResult) -> Void
    ) -> Void

  /// Asks whether requests can be sent, and calls back once.
  public typealias Probe = @Sendable (_ answer: @escaping @Sendable (Bool) -> Void) -> Void

  /// The maximum number of deliveries to one channel at once. A receiver that is slow leaves room
  /// for the others.
  static let mostOfChannel = 2
  /// How long the alarms of a message about several wait for others that ring at the same time.
  static let gathering = Duration.seconds(2)
  /// The maximum number of deliveries at once to channels whose last attempt has failed, one to
  /// each. However many fail, there is room for the others.
  static func mostOfFailing(_ kind: ChannelKind) -> Int { kind.lane.concurrency * 3 / 4 }

  private struct State {
    /// The deliveries that are being sent, or whose outcome is not stored yet, by ID: the channel
    /// as it was when the attempt began.
    var inFlight: [Int: Channel] = [:]
    /// The outcomes that could not be stored yet, by the ID of the delivery.
    var outcomes: [Int: DeliveryRepository.Attempt] = [:]
    /// Until when nothing is sent to a channel, by its ID, because of `Retry-After`.
    var holds: [Int: Instant] = [:]
    /// Until when the alarms of one message are gathered, by the ID of the channel.
    var gathering: [Int: Instant] = [:]
    /// The channel that was served last.
    var last = 0
    var figures = DeliveryFigures()
    /// When they were read.
    var readAt: Instant?
    /// Whether the last attempt has left the service; `nil` before it was read.
    var canSend: Bool?
    /// The number of channels that are broken.
    var broken = 0
    /// When the channels were last checked.
    var checkedAt: Instant?

    /// How many more deliveries may be sent to a channel now.
    func room(of channel: Channel) -> Int {
      let ofKind = inFlight.values.filter { $0.kind.lane == channel.kind.lane }
      let room = channel.kind.lane.concurrency - ofKind.count
      let ofChannel = ofKind.count { $0.id == channel.id }
      guard channel.failingSince != nil else {
        return min(room, DeliveryScheduler.mostOfChannel - ofChannel)
      }
      let ofFailing = ofKind.count { $0.failingSince != nil }
      return min(
        room, 1 - ofChannel, DeliveryScheduler.mostOfFailing(channel.kind) - ofFailing)
    }
  }

  private let database: any ServerDatabase
  private let clock: Clock
  private let sender: DeliveryMessage.Sender
  private let send: Send
  private let probe: Probe
  private let sendsNothing: Bool
  private let check: RepeatedCheck
  private let ended: @Sendable (_ kind: ChannelKind, _ state: DeliveryState) -> Void
  private let state = Mutex(State())

  /// Starts the scheduler.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - publicURL: The address of this server for people, without a slash at its end.
  ///   - contact: The address of this server for the operators of push services.
  ///   - zone: The zone of a reminder without one.
  ///   - sendsNothing: Whether messages wait until they expire.
  ///   - queue: A serial queue for the work, which others may share; by default a new one.
  ///   - agenda: Schedules the next attempt.
  ///   - send: Sends a request.
  ///   - probe: Asks whether requests can be sent, after a time in which none could.
  ///   - ended: Receives what became of each attempt, after its commit: `waiting` if it has failed
  ///     and is made again.
  ///   - failed: Receives errors. A failed check is repeated after one second.
  public init(
    _ database: any ServerDatabase, publicURL: String? = nil, contact: String? = nil,
    in zone: ZoneInfo = .utc, sendsNothing: Bool = false, on queue: DispatchQueue? = nil,
    agenda: Agenda,
    send: @escaping Send, probe: @escaping Probe = { _ in },
    ended: @escaping @Sendable (_ kind: ChannelKind, _ state: DeliveryState) -> Void = { _, _ in },
    failed: @escaping @Sendable (any Error) -> Void
  ) {
    self.database = database
    sender = .init(publicURL: publicURL, contact: contact, zone: zone)
    (self.send, self.probe, self.sendsNothing) = (send, probe, sendsNothing)
    self.ended = ended
    clock = agenda.clock
    check = RepeatedCheck(
      of: database, on: queue, agenda: agenda, failed: failed)
    check.start { [weak self] in try self?.run() }
    database.onCommit(while: check) { check, notice in
      let tables = notice.tables
      if notice.everything || tables["apiKeys"] != nil || tables[Delivery.tableName] != nil
        || tables[Channel.tableName] != nil
      {
        check.schedule()
      }
    }
    database.hasListeners = true
    check.schedule()
  }

  /// The figures for an operator: at most a second old after a change, and a minute while an alarm
  /// rings.
  public var figures: DeliveryFigures { state.withLock { $0.figures } }

  /// Reads the figures, at most once per second. Returns when to do so again.
  private func readFigures(_ channels: [Channel], at now: Instant) throws -> Instant? {
    if let last = state.withLock({ $0.readAt }), now >= last {
      let next = last.adding(milliseconds: 1_000)
      if now < next { return next }
    }
    let figures = try database.read { try DeliveryFigures(channels, at: now, $0) }
    let isFirst = state.withLock { state in
      (state.figures, state.readAt) = (figures, now)
      defer { state.canSend = state.canSend ?? (figures.cannotSendSince == nil) }
      return state.canSend == nil
    }
    // What was missing may have been installed before this start.
    if isFirst, figures.cannotSendSince != nil {
      probe { [weak self] canSend in if canSend { self?.note(canSend: true) } }
    }
    return figures.hasRinging && !channels.isEmpty ? now.adding(seconds: 60) : nil
  }

  /// Notes whether an attempt has left the service, and stores a change of that.
  private func note(canSend: Bool) {
    let now = clock.now()
    let isNew = state.withLock { state in
      guard state.canSend == !canSend else { return false }
      state.canSend = canSend
      return true
    }
    guard isNew else { return }
    check.submit { db in
      try StoredSettings.change(in: db) { row in
        row.cannotSendSince = canSend ? nil : row.cannotSendSince ?? now
      }
    }
  }

  /// The number of channels that are broken.
  public var broken: Int { state.withLock { $0.broken } }

  /// Checks which channels are broken: once an hour, and at once when another one breaks. Returns
  /// the time of the next check.
  private func checkHealth(_ channels: [Channel], at now: Instant) -> Instant? {
    let broken = channels.count { $0.brokenAt != nil }
    let (isDue, next) = state.withLock { state -> (Bool, Instant?) in
      let last = state.checkedAt.flatMap { $0 <= now ? $0 : nil }
      let isDue =
        broken > state.broken || last.map { $0.adding(ChannelHealth.interval) <= now } ?? true
      state.broken = broken
      if isDue { state.checkedAt = now }
      return (isDue, state.checkedAt?.adding(ChannelHealth.interval))
    }
    if isDue, !channels.isEmpty { check.submit { try ChannelHealth.check(at: now, $0) } }
    return channels.isEmpty ? nil : next
  }

  private func run() throws {
    let now = clock.now()
    let (channels, waiting, expiry, ended, alarm) = try database.read { db in
      try (
        Channel.all.order { $0.id }.fetchAll(db),
        Set(DeliveryRepository.channelsWithWork().fetchAll(db)),
        DeliveryRepository.expiring().fetchOne(db), ChannelRights.ended(at: now, db),
        AlarmRepository.first().fetchOne(db) ?? nil
      )
    }
    if !ended.isEmpty {
      return check.submit { try Channel.where { $0.id.in(ended) }.delete().execute($0) }
    }
    if let expiry, expiry <= now {
      return check.submit { try DeliveryRepository.expire(at: now, $0) }
    }
    var next = try [expiry, readFigures(channels, at: now), checkHealth(channels, at: now)]
      .compactMap { $0 }
    // A message whose outcome cannot be stored is not sent again.
    let outcomes = state.withLock { state in
      defer { state.outcomes = [:] }
      return state.outcomes.compactMap { id, attempt in
        state.inFlight[id].map { (id, attempt, $0) }
      }
    }
    for (id, attempt, channel) in outcomes { record(attempt, of: id, to: channel) }
    let isRinging = alarm.map { $0 <= now } ?? false
    var busy = state.withLock { state in
      state.holds = state.holds.filter { $0.value > now }
      state.gathering = state.gathering.filter { isRinging && $0.value > now }
      return state
    }
    let served = sendsNothing ? [] : channels.filter { $0.isEnabled && waiting.contains($0.id) }
    // After the one that was served last, so that each gets its turn.
    let order = served.filter { $0.id > busy.last } + served.filter { $0.id <= busy.last }
    for known in order {
      let room = busy.room(of: known)
      guard room > 0 else { continue }
      if let hold = busy.holds[known.id] ?? busy.gathering[known.id] {
        next.append(hold)
        continue
      }
      // In one snapshot: a message that was stored after a change of the channel is sent by it.
      guard let turn = try database.read({ try Turn(of: known.id, sender, at: now, $0) }) else {
        continue
      }
      let channel = turn.channel
      let waiting = turn.waiting.filter { busy.inFlight[$0.id] == nil }
      let due = waiting.filter { $0.nextAt.map { $0 <= now } == true }
      if let oldest = due.first?.nextAt, turn.isMerged(due) {
        // More alarms are about to ring: they go into the same message.
        let gathered = oldest.adding(Self.gathering)
        guard isRinging, gathered > now else {
          return merge(channel, besides: Set(busy.inFlight.keys), at: now)
        }
        state.withLock { $0.gathering[channel.id] = gathered }
        next.append(gathered)
        continue
      }
      for delivery in due.prefix(room) {
        busy.inFlight[delivery.id] = channel
        state.withLock { ($0.inFlight[delivery.id], $0.last) = (channel, channel.id) }
        if let obstacle = turn.obstacles[delivery.id] {
          store(delivery.id, to: channel) {
            try DeliveryRepository.end([delivery.id], because: obstacle, at: now, $0)
          }
        } else {
          begin(delivery, turn, at: now)
        }
      }
      if let later = waiting.first(where: { $0.nextAt.map { $0 > now } == true })?.nextAt {
        next.append(later)
      }
    }
    check.plan(at: next.min())
  }

  /// The next deliveries of a channel, and what their messages need, in one snapshot.
  private struct Turn {
    let channel: Channel
    let rights: ChannelRights
    let waiting: [Delivery]
    /// Why some of them must not be sent, by their IDs.
    let obstacles: [Int: DeliveryRepository.Obstacle]
    var sender: DeliveryMessage.Sender

    /// Returns `nil` if nothing may be sent to the channel.
    init?(of id: Int, _ sender: DeliveryMessage.Sender, at now: Instant, _ db: Connection) throws {
      guard let channel = try Channel.find(id).fetchOne(db), channel.isEnabled,
        let rights = try ChannelRights(of: channel, at: now, db)
      else { return nil }
      (self.channel, self.rights, self.sender) = (channel, rights, sender)
      let most = DeliveryScheduler.mostOfChannel + DeliveryRepository.mostSingle + 1
      waiting = try DeliveryRepository.next(of: id, most).fetchAll(db)
      obstacles = try DeliveryRepository.obstacles(
        to: waiting, among: DeliveryRepository.ringing(in: waiting, db), channel, rights, at: now,
        in: sender.zone)
      if channel.kind == .push { self.sender.pushKey = try PushRepository.key(db) }
    }

    /// Whether one message is sent in place of these deliveries.
    func isMerged(_ due: [Delivery]) -> Bool {
      let alarms = due.count {
        $0.isAlarm(forPeopleBy: channel) && Outbox.firing(of: $0.eventID) != nil
      }
      return channel.sendsTexts && alarms > DeliveryRepository.mostSingle
    }
  }

  /// Makes one message of the alarms that are due for a channel. Its commit begins the next check.
  private func merge(_ channel: Channel, besides busy: Set<Int>, at now: Instant) {
    check.submit { [sender] db in
      try DeliveryRepository.merge(channel.id, besides: busy, at: now, in: sender.zone, db)
    }
  }

  private func begin(_ delivery: Delivery, _ turn: Turn, at now: Instant) {
    let channel = turn.channel
    let request = DeliveryMessage.request(
      delivery, to: channel, turn.sender, mayAnswer: turn.rights.mayAnswer, at: now)
    guard let request, request.problem == nil else {
      let problem = request?.problem ?? "the settings of the channel are invalid"
      let attempt = DeliveryRepository.Attempt(error: problem, isFromOutside: false, isFinal: true)
      return record(attempt, of: delivery.id, to: channel)
    }
    send(request) { [weak self] result in
      let attempt = DeliveryRepository.Attempt(result, of: channel.kind)
      self?.note(canSend: attempt.isFromOutside)
      self?.record(attempt, of: delivery.id, to: channel)
    }
  }

  private func record(
    _ attempt: DeliveryRepository.Attempt, of id: Int, to channel: Channel
  ) {
    if attempt.error != nil, let pause = attempt.retryAfter {
      let until = clock.now().adding(pause)
      state.withLock { $0.holds[channel.id] = until }
    }
    store(id, to: channel, of: attempt) { [clock] db in
      try DeliveryRepository.record(attempt, of: id, at: clock.now(), db)
    }
  }

  /// Stores the result of a delivery. If that fails, the outcome of an attempt is stored later.
  private func store(
    _ id: Int, to channel: Channel, of attempt: DeliveryRepository.Attempt? = nil,
    _ write: @escaping @Sendable (Connection) throws -> DeliveryState?
  ) {
    check.submit(
      then: { [ended] (state: DeliveryState?) in if let state { ended(channel.kind, state) } },
      finally: { [weak self] isStored in
        self?.state.withLock { state in
          if isStored || attempt == nil {
            state.inFlight[id] = nil
          } else {
            state.outcomes[id] = attempt
          }
        }
      }, write)
  }
}

extension DeliveryRepository.Attempt {
  init(_ result: CourierResult, of kind: ChannelKind) {
    switch result.outcome {
    case .answered(let status):
      self.status = status
      if !result.isSuccess { error = "the receiver answered \(status)" }
      if kind == .push { notePush(status, result) }
      if kind == .mail, !result.isSuccess { noteMail(status) }
    case .failed(let failure):
      error = failure.text
      isFromOutside = failure.kind != .courier
    }
    retryAfter = result.retryAfter
  }

  /// The meaning of the reply of a mail server (RFC 5321 section 4.2.1, RFC 4954 section 6). A mail
  /// that it refuses for good is not sent again: another wrong password could lock the account.
  private mutating func noteMail(_ code: Int) {
    isFinal = code >= 500
    error =
      switch code {
      case 530: "the mail server asks for a user and a password (530)"
      case 535: "the mail server does not accept the user or the password (535)"
      case 550, 551, 553: "the mail server does not accept the sender or the recipient (\(code))"
      default: "the mail server answered \(code)"
      }
  }

  /// The meaning of the status of a push service (RFC 8030 sections 7.3 and 8.4).
  private mutating func notePush(_ status: Int, _ result: CourierResult) {
    guard !result.isSuccess else { return }
    if [404, 410].contains(status) {
      (isLost, isFinal) = (true, true)
      return error = "the push service has ended the subscription (\(status))"
    }
    isFinal = [400, 401, 403, 413].contains(status)
    error = "the push service answered \(status)"
    if let reason = result.reason { error? += " (\(reason))" }
    if let minutes = result.clockDifference.map({ $0.components.seconds / 60 }) {
      error? += "; its clock is \(abs(minutes)) minutes "
      error? += minutes > 0 ? "ahead of that of this server" : "behind that of this server"
    }
  }
}
