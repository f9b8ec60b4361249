import Dispatch
import MartletSQLite
import MartletStore
import MartletTime

/// Deletes expired rows in portions, when the server starts and then every hour.
public final class Upkeep: Sendable {
  private static let interval: Int64 = 3_600_000

  /// How long rows are kept.
  public struct Settings: Sendable {
    /// How long the change feed remembers a deletion.
    public var tombstones = Duration.seconds(90 * 86_400)
    /// How long the trash keeps an entry.
    public var trash = Duration.seconds(30 * 86_400)
    /// How long completions are kept; zero: for ever.
    public var completions = Duration.seconds(1_095 * 86_400)

    /// The defaults.
    public init() {}
  }

  private let database: any ServerDatabase
  private let settings: Settings
  private let clock: Clock
  private let queue: DispatchQueue
  private let next: Agenda.Entry
  private let failed: @Sendable (any Error) -> Void

  /// Starts the upkeep.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - settings: How long rows are kept.
  ///   - queue: A serial queue for the work, which others may share; by default a new one.
  ///   - agenda: Schedules the passes.
  ///   - failed: Receives errors. A failed pass is repeated an hour later.
  public init(
    _ database: any ServerDatabase, _ settings: Settings = Settings(),
    on queue: DispatchQueue? = nil, agenda: Agenda,
    failed: @escaping @Sendable (any Error) -> Void
  ) {
    self.database = database
    self.queue = queue ?? DispatchQueue(label: "reminders.upkeep", qos: .utility)
    self.settings = settings
    clock = agenda.clock
    next = agenda.entry()
    self.failed = failed
    next.whenDue { [weak self] _, _ in self?.start() }
    start()
  }

  private func start() {
    queue.async { [weak self] in
      guard let self else { return }
      next.plan(at: clock.now().adding(milliseconds: Upkeep.interval))
      let passes: [any UpkeepPass] = [
        FeedPass(cutoff: SQLiteTime.string(cutoff(settings.tombstones))),
        TrashPass(cutoff: SQLiteTime.string(cutoff(settings.trash))),
        AgePass<Completion>(
          cutoff: settings.completions > .zero ? cutoff(settings.completions) : nil),
        AgePass<Firing>(cutoff: cutoff(Firing.keep)),
        AgePass<Delivery>(cutoff: cutoff(Delivery.keep)),
      ]
      for pass in passes {
        do {
          var pass = pass
          try database.read { try pass.begin(in: $0) }
          go(on: pass)
        } catch {
          failed(error)
        }
      }
    }
  }

  private func cutoff(_ keep: Duration) -> Instant {
    clock.now().adding(.zero - keep)
  }

  private func go(on pass: any UpkeepPass) {
    do {
      var pass = pass
      guard let write = try database.read({ try pass.next(in: $0) }) else { return }
      let rest = pass
      try database.submit(
        write: write,
        completion: { [weak self] result in
          guard let self else { return }
          switch result {
          case .success: queue.async { [weak self] in self?.go(on: rest) }
          case .failure(let error): failed(error)
          }
        })
    } catch {
      failed(error)
    }
  }
}
