import Dispatch
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// Deletes lines of the change feed that say nothing any more: superseded ones, and deletions that
/// are older than the feed remembers.
///
/// It runs when the server starts and then every hour, in portions that each take a few
/// milliseconds.
public final class FeedUpkeep: Sendable {
  /// The maximum number of deletions that the feed remembers. Beyond that the oldest are forgotten
  /// before their time.
  public static let mostDeletions = 200_000
  /// The number of lines inspected at a time.
  static let portion = 2_000
  private static let interval: Int64 = 3_600_000

  private let database: any ServerDatabase
  private let keep: Duration
  private let clock: Clock
  private let queue = DispatchQueue(label: "reminders.feed", qos: .utility)
  private let next: Agenda.Entry
  private let failed: @Sendable (any Error) -> Void

  /// Starts the upkeep.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - keep: How long the feed remembers a deletion.
  ///   - agenda: Schedules the passes.
  ///   - failed: Receives errors. A failed pass is repeated an hour later.
  public init(
    _ database: any ServerDatabase, keep: Duration, agenda: Agenda,
    failed: @escaping @Sendable (any Error) -> Void
  ) {
    self.database = database
    self.keep = keep
    clock = agenda.clock
    next = agenda.entry()
    self.failed = failed
    next.whenDue { [weak self] _, _ in self?.start() }
    start()
  }

  private func start() {
    queue.async { [weak self] in
      guard let self else { return }
      next.plan(at: clock.now().adding(milliseconds: FeedUpkeep.interval))
      do {
        let cutoff = clock.now().adding(milliseconds: -Int64(keep.wholeMilliseconds))
        let pass = FeedPass(cutoff: SQLiteTime.string(cutoff))
        go(on: try database.read { try pass.bounded(by: FeedUpkeep.mostDeletions, in: $0) })
      } catch {
        failed(error)
      }
    }
  }

  /// Inspects portions until one has lines to delete, deletes them, and goes on behind them.
  private func go(on pass: FeedPass) {
    do {
      var pass = pass
      while true {
        let portion = try database.read { try pass.portion(FeedUpkeep.portion, in: $0) }
        guard let portion else { return }
        pass.last = portion.last
        if !portion.isClean { return delete(portion, pass) }
      }
    } catch {
      failed(error)
    }
  }

  private func delete(_ portion: FeedPass.Portion, _ pass: FeedPass) {
    do {
      try database.submit(
        write: { try pass.delete(portion, in: $0) },
        completion: { [weak self] result in
          guard let self else { return }
          switch result {
          case .success: queue.async { [weak self] in self?.go(on: pass) }
          case .failure(let error): failed(error)
          }
        })
    } catch {
      failed(error)
    }
  }
}

/// One pass over the lines of the change feed.
struct FeedPass: Sendable {
  /// Deletions before this time are forgotten.
  var cutoff: String
  /// Deletions up to this version are forgotten, because there are too many.
  var excess = 0
  /// The last version inspected.
  var last = 0

  /// The versions of a portion.
  struct Portion: Sendable {
    let first: Int
    let last: Int
    /// Whether there is nothing to delete.
    let isClean: Bool
  }

  /// The same pass, which also forgets the oldest deletions if there are more than `most`.
  func bounded(by most: Int, in db: Connection) throws -> FeedPass {
    var pass = self
    pass.excess =
      try ChangeLine.where { $0.gone.isNot(nil) }.order { $0.version.desc() }
      .limit(1, offset: most).select(\.version).fetchOne(db) ?? 0
    return pass
  }

  /// The next portion of at most `count` lines; `nil` at the end.
  func portion(_ count: Int, in db: Connection) throws -> Portion? {
    let end = try ChangeLine.where { $0.version > last }.order { $0.version }.limit(count)
      .select(\.version).fetchAll(db).last
    guard let end else { return nil }
    let first = last + 1
    let isClean =
      try ChangeLine
      .where {
        isOf($0, first, end)
        isOver($0) || isForgotten($0)
      }
      .limit(1).select(\.version).fetchOne(db) == nil
    return Portion(first: first, last: end, isClean: isClean)
  }

  func delete(_ portion: Portion, in db: Connection) throws {
    let horizon =
      try ChangeLine
      .where {
        isOf($0, portion.first, portion.last)
        isForgotten($0)
      }
      .select { $0.version.max() }.fetchOne(db) ?? nil
    try ChangeLine
      .where {
        isOf($0, portion.first, portion.last)
        isOver($0) || isForgotten($0)
      }
      .delete().execute(db)
    if let horizon {
      try FeedState.where { $0.horizon < horizon }.update { $0.horizon = horizon }.execute(db)
    }
  }

  private func isOf(
    _ line: ChangeLine.TableColumns, _ first: Int, _ last: Int
  ) -> SQLQueryExpression<Bool> {
    SQLQueryExpression("\(line.version) BETWEEN \(bind: first) AND \(bind: last)")
  }

  /// The condition that the line is superseded. The newest one stays, so that versions only grow.
  private func isOver(_ line: ChangeLine.TableColumns) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(
      """
      (\(line.gone) IS NULL AND \(line.version) < (SELECT max(version) FROM changes) \
      AND \(line.version) IS NOT CASE \(line.kind) \
      WHEN 1 THEN (SELECT version FROM remindersLists WHERE id = \(line.itemID)) \
      ELSE (SELECT version FROM reminders WHERE id = \(line.itemID)) END)
      """)
  }

  /// The condition that the line is a deletion which the feed no longer remembers. The newest line
  /// of a list stays: it tells whether a token has missed anything of the list.
  private func isForgotten(_ line: ChangeLine.TableColumns) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(
      """
      (\(line.gone) IS NOT NULL AND (\(line.gone) < \(bind: cutoff) \
      OR \(line.version) <= \(bind: excess)) AND EXISTS (SELECT 1 FROM changes AS later \
      WHERE later.listID = \(line.listID) AND later.version > \(line.version)) \
      AND \(line.version) < (SELECT max(version) FROM changes))
      """)
  }
}
