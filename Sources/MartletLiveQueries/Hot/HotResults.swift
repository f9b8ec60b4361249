import MartletJSON
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization

/// Results that are kept because nothing has touched them since they were read: not a commit, not the clock.
///
/// A result is marked as past on the writer's thread, before the commit's writes are answered: whoever has the answer to
/// a write never gets a kept result from before it. To see whether one has passed costs an atomic load; who holds them,
/// and how many, is the caller's matter.
public final class HotResults: Sendable {
  private struct State {
    var index: DependencyIndex
    var results: [DependencyIndex.ID: HotResult] = [:]
    var lastID: DependencyIndex.ID = 0
    /// The last commits' notices, with their numbers: what was read meanwhile may have missed them.
    var recent: [(number: UInt64, notice: CommitNotice)] = []

    /// Whether what was read since `moment` may be from before one of the commits that were told of since, `count` in all.
    func mayHaveMissed(
      _ dependencies: Dependencies, since moment: Moment, of count: UInt64, _ watch: Watch
    ) -> Bool {
      let missed = recent.filter { $0.number > moment.notices }
      guard UInt64(missed.count) == count - moment.notices else { return true }
      guard !missed.isEmpty else { return false }
      var alone = DependencyIndex(watch)
      alone.set(dependencies, for: 0)
      return missed.contains { !alone.touched(by: $0.notice).isEmpty }
    }

    mutating func remove(_ id: DependencyIndex.ID) {
      results.removeValue(forKey: id)?.pass()
      index.remove(id)
    }
  }

  /// Learns what a connection's statements read.
  ///
  /// `@unchecked Sendable`: used by whoever has the connection.
  private struct Learner: @unchecked Sendable { let reader = DependencyReader() }

  private let database: EmbeddedDatabase
  private let state: Mutex<State>
  private let learners = Mutex<[ObjectIdentifier: Learner]>([:])
  /// Counts the commits that were told of.
  private let notices = Atomic<UInt64>(0)

  public init(_ database: EmbeddedDatabase) {
    self.database = database
    state = Mutex(State(index: DependencyIndex(database.watch)))
    database.onCommit(while: self) { $0.committed($1) }
  }

  /// The number of those that have not passed.
  public var count: Int { state.withLock { $0.results.count } }

  /// What there is now; to be asked before a read is begun whose result is to be kept.
  public struct Moment: Sendable { fileprivate let notices: UInt64 }
  public var moment: Moment {
    Moment(notices: notices.load(ordering: .sequentiallyConsistent))
  }

  /// What a read has read, and until when its result holds if no commit touches it.
  public struct Reading: Sendable {
    fileprivate let dependencies: Dependencies
    fileprivate let nextChange: Instant?
  }

  /// Runs a source in the read transaction of `connection`; gives what it has read, or `nil` where what was asked for is
  /// not there.
  public func read(
    _ source: LiveSource, _ connection: Connection, into buffer: ByteBuffer
  ) throws -> Reading? {
    let learner = learners.withLock {
      let id = ObjectIdentifier(connection)
      if let learner = $0[id] { return learner }
      let learner = Learner()
      $0[id] = learner
      return learner
    }
    try learner.reader.learnSchema(connection)
    let ((isThere, nextChange), dependencies) = try learner.reader.collect(connection) {
      (try source.write(connection, buffer), try source.nextChange?(connection))
    }
    return isThere ? Reading(dependencies: dependencies, nextChange: nextChange) : nil
  }

  /// Keeps what was read since `moment`. `nil` where that may have passed already, or cannot be known to pass.
  public func keep(
    _ body: SharedBytes, _ reading: Reading, since moment: Moment, now: Instant
  ) -> HotResult? {
    let dependencies = reading.dependencies
    guard !dependencies.isUnknown, !dependencies.readsClock || reading.nextChange != nil else {
      return nil
    }
    // Other programs' commits are looked for from here on.
    database.someoneListens = true
    return state.withLock { state in
      let count = notices.load(ordering: .relaxed)
      guard !state.mayHaveMissed(dependencies, since: moment, of: count, database.watch) else {
        return nil
      }
      state.lastID += 1
      let result = HotResult(state.lastID, body, made: now, end: reading.nextChange)
      state.results[result.id] = result
      state.index.set(dependencies, for: result.id)
      return result
    }
  }

  /// Nobody will ask for it any more.
  public func forget(_ result: HotResult) { state.withLock { $0.remove(result.id) } }

  private static let mostRecent = 16

  private func committed(_ notice: CommitNotice) {
    state.withLock { state in
      let number = notices.add(1, ordering: .sequentiallyConsistent).newValue
      // Of large ones it is not worth while to keep what they changed.
      let isSmall = notice.tables.values.allSatisfy { $0.rows.map { $0.count < 100 } ?? false }
      if isSmall { state.recent.append((number, notice)) }
      if state.recent.count > HotResults.mostRecent { state.recent.removeFirst() }
      for id in state.index.touched(by: notice) { state.remove(id) }
    }
  }
}

/// A kept result.
public final class HotResult: Sendable {
  fileprivate let id: DependencyIndex.ID
  public let body: SharedBytes
  /// The clock changes it then.
  private let end: Instant?
  private let made: Instant
  private let hasPassed = Atomic(false)

  fileprivate init(
    _ id: DependencyIndex.ID, _ body: SharedBytes, made: Instant, end: Instant?
  ) {
    self.id = id
    self.body = body
    self.made = made
    self.end = end
  }

  /// Whether it is what a read would give now. `clock` is asked where that matters.
  public func holds(_ clock: Clock) -> Bool {
    guard !hasPassed.load(ordering: .sequentiallyConsistent) else { return false }
    guard let end else { return true }
    let now = clock.now()
    // A clock that was set back shows an earlier day.
    return made <= now && now < end
  }

  fileprivate func pass() { hasPassed.store(true, ordering: .sequentiallyConsistent) }
}
