import MartletSQLite
import MartletStore
import Synchronization

/// Compares commits with the dependencies of reads. It invalidates live queries, cached responses
/// and the keys in use.
///
/// To cache a read, get ``commit`` first, then read with ``read(_:_:)``, which returns the
/// dependencies, and pass both to ``register(_:since:)``. A commit that arrived in between makes
/// the token stale at once. A later commit makes it stale before the commit's writes are answered.
public final class Invalidation: Sendable {
  /// Receives each commit and the reads that it may have changed, on the writer's thread.
  typealias Watcher = @Sendable (_ touched: Set<DependencyIndex.ID>, CommitNotification) -> Void

  private struct State {
    var history = CommitHistory()
    var lastID: DependencyIndex.ID = 0
    var tokens: [DependencyIndex.ID: WeakToken] = [:]
    var index: DependencyIndex
    var watched: [ObjectIdentifier: Watched] = [:]
  }

  private struct Watched {
    var index: DependencyIndex
    let watcher: Watcher
  }

  private struct WeakToken { weak var token: InvalidationToken? }

  /// Determines what a connection's statements read.
  ///
  /// `@unchecked Sendable`: it is used only by the thread that currently uses the connection.
  private struct Learner: @unchecked Sendable { let reader = DependencyReader() }

  private let database: any ObservableDatabase
  private let state: Mutex<State>
  private let learners = Mutex<[ObjectIdentifier: Learner]>([:])

  init(_ database: any ObservableDatabase) {
    self.database = database
    state = Mutex(State(index: DependencyIndex(database.watch)))
    database.onCommit(while: self) { $0.committed($1) }
  }

  /// The number of tokens that are not stale.
  public var count: Int { state.withLock { $0.tokens.count } }

  /// The number of the last commit. A read that begins later contains it.
  public var commit: UInt64 { database.commitNumber }

  /// Runs `body` in the read transaction of `connection`. Returns its value and the dependencies of
  /// its statements.
  public func read<T>(
    _ connection: Connection, _ body: () throws -> T
  ) throws -> (value: T, dependencies: Dependencies) {
    let learner = learners.withLock {
      let id = ObjectIdentifier(connection)
      if let learner = $0[id] { return learner }
      let learner = Learner()
      $0[id] = learner
      return learner
    }
    try learner.reader.learnSchema(connection)
    return try learner.reader.collect(connection, body)
  }

  /// Registers dependencies of a read that began when `commit` was the last commit. The token is
  /// stale at once if a later commit may have changed them.
  public func register(_ dependencies: Dependencies, since commit: UInt64) -> InvalidationToken {
    // From now on the database checks for commits by other programs.
    database.hasListeners = true
    let (token, isStale) = state.withLock { state in
      state.lastID += 1
      let token = InvalidationToken(state.lastID) { [weak self] in self?.forget($0) }
      guard !state.history.hasTouched(dependencies, since: commit, database.watch) else {
        return (token, true)
      }
      state.tokens[token.id] = WeakToken(token: token)
      state.index.set(dependencies, for: token.id)
      return (token, false)
    }
    if isStale { token.turnStale() }
    return token
  }

  private func forget(_ id: DependencyIndex.ID) {
    state.withLock { state in
      guard state.tokens.removeValue(forKey: id) != nil else { return }
      state.index.remove(id)
    }
  }

  // MARK: Reads that are repeated

  /// Calls `body` for every commit as long as `watcher` exists. `body` gets the IDs of those reads
  /// of `watcher` (``set(_:of:)``) that the commit touched.
  func watch<Watching: AnyObject & Sendable>(
    _ watcher: Watching,
    _ body: @escaping @Sendable (Watching, Set<DependencyIndex.ID>, CommitNotification) -> Void
  ) {
    let id = ObjectIdentifier(watcher)
    state.withLock { state in
      let index = DependencyIndex(database.watch)
      state.watched[id] = Watched(index: index) { [weak watcher] in
        if let watcher { body(watcher, $0, $1) }
      }
    }
  }

  func stopWatching(_ watcher: AnyObject) {
    // Release the closure outside the lock.
    let watched = state.withLock { $0.watched.removeValue(forKey: ObjectIdentifier(watcher)) }
    _ = consume watched
  }

  /// Replaces the dependencies of reads of `watcher`. Returns later commits that may have changed
  /// the reads whose dependencies are new. Commits that concern unchanged dependencies were already
  /// passed to the watcher.
  func set(
    _ reads: [(id: DependencyIndex.ID, dependencies: Dependencies, since: UInt64)],
    of watcher: AnyObject
  ) -> [(id: DependencyIndex.ID, commit: UInt64)] {
    let key = ObjectIdentifier(watcher)
    return state.withLock { state in
      var changed: [DependencyIndex.ID: UInt64] = [:]
      for (id, dependencies, commit) in reads {
        if state.watched[key]?.index.set(dependencies, for: id) == true { changed[id] = commit }
      }
      guard !changed.isEmpty, let index = state.watched[key]?.index else { return [] }
      return state.history.touches(of: changed, in: index)
    }
  }

  func remove(_ ids: [DependencyIndex.ID], of watcher: AnyObject) {
    state.withLock { state in
      for id in ids { state.watched[ObjectIdentifier(watcher)]?.index.remove(id) }
    }
  }

  // MARK: Commits

  private func committed(_ notice: CommitNotification) {
    let (tokens, touched) = state.withLock { state in
      state.history.append(notice)
      var tokens: [InvalidationToken] = []
      for id in state.index.touched(by: notice) {
        state.index.remove(id)
        if let token = state.tokens.removeValue(forKey: id)?.token { tokens.append(token) }
      }
      return (tokens, state.watched.values.map { ($0.watcher, $0.index.touched(by: notice)) })
    }
    for token in tokens { token.turnStale() }
    for (watcher, ids) in touched { watcher(ids, notice) }
  }
}

extension ObservableDatabase {
  /// The invalidation of the database. All callers share one object, which lives as long as one of
  /// them holds it.
  public var invalidation: Invalidation { attachment { Invalidation(self) } }
}
