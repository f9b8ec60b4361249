import Dispatch
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization

/// Lets channels read what has changed: a moment after a commit, so that several changes of one
/// reminder become one event.
public final class ChangeReader: Sendable {
  /// The time after a commit.
  static let pause: Int64 = 100

  private let database: any ServerDatabase
  private let clock: Clock
  private let check: RepeatedCheck
  private let isPlanned = Atomic(false)
  private let need = Mutex(Need())

  private struct Need {
    /// Whether any channel may read changes. Without one, a commit costs nothing.
    var exists = true
    /// The number of changes of channels.
    var changes = 0
  }

  /// Starts the reader.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - queue: A serial queue for the work, which others may share; by default a new one.
  ///   - agenda: Schedules the reading.
  ///   - failed: Receives errors. A failed reading is repeated after one second.
  public init(
    _ database: any ServerDatabase, on queue: DispatchQueue? = nil, agenda: Agenda,
    failed: @escaping @Sendable (any Error) -> Void
  ) {
    self.database = database
    clock = agenda.clock
    check = RepeatedCheck(
      of: database, on: queue, agenda: agenda, failed: failed)
    check.start { [weak self] in try self?.run() }
    database.onCommit(while: self) { reader, notice in reader.heard(notice) }
    database.hasListeners = true
    check.schedule()
  }

  private func heard(_ notice: CommitNotification) {
    let isOfChannels = notice.everything || notice.tables[Channel.tableName] != nil
    let isNeeded = need.withLock { need in
      if isOfChannels {
        need.changes += 1
        need.exists = true
      }
      return need.exists
    }
    guard isNeeded, !isPlanned.exchange(true, ordering: .acquiringAndReleasing) else { return }
    check.plan(at: clock.now().adding(milliseconds: ChangeReader.pause))
  }

  private func run() throws {
    isPlanned.store(false, ordering: .releasing)
    let before = need.withLock { $0.changes }
    let (isNeeded, hasNews) = try database.read { db in
      try (Outbox.following().exists(in: db), Outbox.hasNews(db))
    }
    need.withLock { if $0.changes == before { $0.exists = isNeeded } }
    if hasNews {
      check.submit { [clock] db in try Outbox.addChanges(at: clock.now(), db) }
    }
  }
}
