import Dispatch
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization

/// Lets alarms ring when they are due, and works out when alarms ring that other programs, or other
/// parts of the service, have marked.
///
/// What is due is taken in one transaction with the record of it, so an alarm rings once for each
/// of its moments, also if the process is killed. After a restart, what came due in between rings
/// at once.
public final class AlarmScheduler: Sendable {
  /// What the scheduler depends on.
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
  private let queue = DispatchQueue(label: "reminders.alarms", qos: .userInitiated)
  private let next: Agenda.Entry
  private let isLooking = Atomic(false)
  private let rang: @Sendable (_ delays: [Duration]) -> Void
  private let failed: @Sendable (any Error) -> Void

  /// Starts the scheduler.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - settings: The zone, and how late an alarm may ring.
  ///   - agenda: Schedules the next alarm.
  ///   - rang: Receives how late each alarm has rung, after its commit.
  ///   - failed: Receives errors. A failed check is repeated after one second.
  public init(
    _ database: any ServerDatabase, _ settings: Settings = Settings(), agenda: Agenda,
    rang: @escaping @Sendable (_ delays: [Duration]) -> Void = { _ in },
    failed: @escaping @Sendable (any Error) -> Void
  ) {
    self.database = database
    self.settings = settings
    clock = agenda.clock
    next = agenda.entry()
    self.rang = rang
    self.failed = failed
    next.whenDue { [weak self] _, _ in self?.scheduleRun() }
    database.onCommit { [weak self] notice in
      if notice.everything || notice.tables[ReminderAlarm.tableName] != nil {
        self?.scheduleRun()
      }
    }
    database.hasListeners = true
    submit { [settings] db in
      try AlarmRepository.followZones(settings.zone, files: settings.zoneFiles, db)
      return []
    }
  }

  /// Schedules a check. Calls before it begins are coalesced.
  private func scheduleRun() {
    guard !isLooking.exchange(true, ordering: .acquiringAndReleasing) else { return }
    queue.async { [weak self] in
      self?.isLooking.store(false, ordering: .releasing)
      self?.run()
    }
  }

  private func run() {
    do {
      let (first, isStale) = try database.read { try AlarmRepository.next($0) }
      guard isStale || first.map({ $0 <= clock.now() }) == true else {
        return next.plan(at: first)
      }
    } catch {
      failed(error)
      return retryLater()
    }
    submit { [clock, settings] db in
      let now = clock.now()
      try AlarmRepository.settle(at: now, in: settings.zone, db)
      return try AlarmRepository.fire(at: now, catchUp: settings.catchUp, db)
    }
  }

  /// Runs a write, and then the next check.
  private func submit(_ write: @escaping @Sendable (Connection) throws -> [Firing]) {
    let done: @Sendable (Result<[Firing], any Error>) -> Void = { [weak self] result in
      switch result {
      case .success(let firings):
        if !firings.isEmpty {
          self?.rang(firings.map { .milliseconds($0.firedAt.milliseconds(since: $0.dueAt)) })
        }
        self?.scheduleRun()
      case .failure(let error):
        self?.failed(error)
        self?.retryLater()
      }
    }
    do {
      try database.submit(write: write, completion: done)
    } catch {
      done(.failure(error))
    }
  }

  private func retryLater() { next.plan(at: clock.now().adding(milliseconds: 1_000)) }
}
