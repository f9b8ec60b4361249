import Dispatch
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// Lets alarms ring when they are due, and works out when alarms ring that other programs, or other
/// parts of the service, have marked.
///
/// What is due is taken in one transaction with the record of it, so an alarm rings once for each
/// of its moments, also if the process is killed. After a restart, what came due in between rings
/// at once.
public final class AlarmScheduler: Sendable {
  /// The zone and the limits of the scheduler.
  public struct Settings: Sendable {
    /// The zone of a reminder without one.
    public var zone = ZoneInfo.utc
    /// How late an alarm may be and still rings.
    public var catchUp = Duration.seconds(86_400)
    /// The version of the time zone files. If it has changed, all times are worked out again.
    public var zoneFiles = ""

    /// The defaults.
    public init() {}
  }

  private let database: any ServerDatabase
  private let settings: Settings
  private let clock: Clock
  private let check: RepeatedCheck
  private let rang: @Sendable (_ delays: [Duration]) -> Void

  /// Starts the scheduler.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - settings: The zone, and how late an alarm may ring.
  ///   - queue: A serial queue for the work, which others may share; by default a new one.
  ///   - agenda: Schedules the next alarm.
  ///   - rang: Receives how late each alarm has rung, after its commit.
  ///   - failed: Receives errors. A failed check is repeated after one second.
  public init(
    _ database: any ServerDatabase, _ settings: Settings = Settings(),
    on queue: DispatchQueue? = nil, agenda: Agenda,
    rang: @escaping @Sendable (_ delays: [Duration]) -> Void = { _ in },
    failed: @escaping @Sendable (any Error) -> Void
  ) {
    self.database = database
    self.settings = settings
    clock = agenda.clock
    check = RepeatedCheck(
      of: database, on: queue, agenda: agenda, failed: failed)
    self.rang = rang
    check.start { [weak self] in try self?.run() }
    database.onCommit(while: check) { check, notice in
      if notice.everything || notice.tables[ReminderAlarm.tableName] != nil { check.schedule() }
    }
    database.hasListeners = true
    check.submit { db in
      try AlarmRepository.followZones(settings.zone, files: settings.zoneFiles, db)
    }
  }

  private func run() throws {
    let time = clock.now()
    let (next, hasEnds) = try database.read { db in
      try (AlarmRepository.next(db), Outbox.hasEnds(at: time, db))
    }
    let (first, isStale) = next
    let isDue = first.map { $0 <= time } == true
    guard isStale || isDue || hasEnds else { return check.plan(at: first) }
    check.submit(then: { [rang] (firings: [Firing]) in
      if !firings.isEmpty {
        rang(firings.map { Duration.milliseconds($0.firedAt.milliseconds(since: $0.dueAt)) })
      }
    }) { [clock, settings] db in
      let now = clock.now()
      // Nothing is worked out while an alarm is due.
      if isDue { return try Self.ring(at: now, catchUp: settings.catchUp, db) }
      try AlarmRepository.settle(at: now, in: settings.zone, db)
      if hasEnds { try Outbox.addEnds(at: now, db) }
      return []
    }
  }

  /// Lets some of the alarms ring that are due, and puts them into the outbox: the fewer, the more
  /// channels there are. Returns what has rung.
  static func ring(at now: Instant, catchUp: Duration, _ db: Connection) throws -> [Firing] {
    var receivers = try Outbox.receivers(of: .alarmRinging, at: now, db)
    let most = max(1, AlarmRepository.portion / (receivers.count + 1))
    let firings = try AlarmRepository.fire(at: now, catchUp: catchUp, most: most, db)
    try Outbox.add(firings, to: &receivers, at: now, db)
    return firings
  }
}
