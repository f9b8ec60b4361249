import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// Deletes lines of the change feed that say nothing any more: superseded ones, and deletions that
/// are older than the feed remembers.
struct FeedPass: UpkeepPass {
  /// The maximum number of deletions that the feed remembers. Beyond that the oldest are forgotten
  /// before their time.
  static let mostDeletions = 200_000
  /// The number of lines inspected at a time.
  static let portion = 2_000

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

  mutating func begin(in db: Connection) throws {
    self = try bounded(by: FeedPass.mostDeletions, in: db)
  }

  mutating func next(in db: Connection) throws -> UpkeepWrite? {
    while let portion = try portion(FeedPass.portion, in: db) {
      last = portion.last
      if !portion.isClean { return { [self] in try delete(portion, in: $0) } }
    }
    return nil
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
    let ofLists =
      try ChangeLine
      .where {
        isOf($0, portion.first, portion.last)
        isForgotten($0)
        $0.kind == .reminder
      }
      .group(by: \.listID).select { ($0.listID, $0.version.max()) }.fetchAll(db)
    try ChangeLine
      .where {
        isOf($0, portion.first, portion.last)
        isOver($0) || isForgotten($0)
      }
      .delete().execute(db)
    if let horizon {
      try FeedState.where { $0.horizon < horizon }.update { $0.horizon = horizon }.execute(db)
    }
    for case (let list, let horizon?) in ofLists {
      try CalendarRepository.forget(upTo: horizon, in: list, db)
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
      AND \(line.version) IS NOT \(line.versionOfItem))
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
