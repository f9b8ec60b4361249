import MartletSQLite

/// A database that publishes its commits. Live queries and caches build on it.
///
/// Commits are numbered in ascending order. A commit's notification is published in commit order
/// and before its writes get their results.
public protocol ObservableDatabase: Database, AnyObject {
  /// The columns and values that commit notifications contain in addition to row IDs.
  var watch: Watch { get }

  /// The number of the most recent commit. A read that begins after this value was read sees at
  /// least that commit.
  var commitNumber: UInt64 { get }

  /// The number of the most recent commit that has started. A snapshot taken before reading this
  /// value cannot contain a later commit.
  var startedCommitNumber: UInt64 { get }

  /// Blocks until the commit in progress, if any, has been published or has failed. Must not be
  /// called from a commit handler.
  func waitForCommitNotification()

  /// Calls `body` after each commit, as ``Database/onCommit(_:)`` does, until `listener` is
  /// deallocated. The database holds `listener` weakly.
  ///
  /// `answered` is called afterwards, when the commit's writes have their results. Use it for work
  /// that would delay them.
  func onCommit<Listener: AnyObject & Sendable>(
    while listener: Listener, _ body: @escaping @Sendable (Listener, CommitNotification) -> Void,
    answered: @escaping @Sendable (Listener) -> Void
  )

  /// Whether commits by other programs are detected while this program is not writing.
  var hasListeners: Bool { get set }

  /// Runs `body` on a read-only connection like `Database.read`. The ``ReadLimit`` sets time limits
  /// for individual queries in it.
  func read<T>(_ body: (Connection, ReadLimit) throws -> T) throws -> T

  /// Returns the object of this type attached to the database, or creates one with `make` and
  /// attaches it.
  ///
  /// All callers get the same object for as long as one of them holds it. Components that work on a
  /// database use this to find each other without a global registry.
  func attachment<Object: AnyObject & Sendable>(
    of type: Object.Type, orMake make: () throws -> Object
  ) rethrows -> Object
}

extension ObservableDatabase {
  /// Calls `body` after each commit until `listener` is deallocated.
  public func onCommit<Listener: AnyObject & Sendable>(
    while listener: Listener, _ body: @escaping @Sendable (Listener, CommitNotification) -> Void
  ) {
    onCommit(while: listener, body, answered: { _ in })
  }

  /// Returns the object attached to the database, of the type inferred from the context, or creates
  /// one with `make` and attaches it.
  public func attachment<Object: AnyObject & Sendable>(
    orMake make: () throws -> Object
  ) rethrows -> Object { try attachment(of: Object.self, orMake: make) }
}
