import MartletSQLite

/// A database that tells of its commits: what live queries, caches and everything else that follows the data stand on.
///
/// A commit has a number; later ones have higher numbers. Its notice is told before the answers of its writes, in the order of
/// commits.
public protocol ObservableDatabase: Database, AnyObject {
  /// What notices tell of changed rows, beside their ids.
  var watch: Watch { get }

  /// The number of the last commit. A read that begins after this was asked sees at least that
  /// commit.
  var commitNumber: UInt64 { get }

  /// The number of the last commit that was begun: a read transaction whose snapshot was taken before this
  /// is asked holds no later one.
  var begunCommitNumber: UInt64 { get }

  /// Returns when the commit that is under way, if there is one, has been told of or has failed. Not to be
  /// called by whoever is told of commits.
  func waitForNotice()

  /// As ``Database/onCommit(_:)``, for as long as `listener` lives, which this does not keep alive.
  ///
  /// `answered` is called next, when those who wrote have their answers: the place for work that would keep
  /// these waiting.
  func onCommit<Listener: AnyObject & Sendable>(
    while listener: Listener, _ body: @escaping @Sendable (Listener, CommitNotification) -> Void,
    answered: @escaping @Sendable (Listener) -> Void
  )

  /// Whether other programs' commits are looked for while nothing is written.
  var hasListeners: Bool { get set }

  /// As ``Database/read(_:)-swift.method``, for several queries of which each may be limited in time.
  func read<T>(_ body: (Connection, ReadLimit) throws -> T) throws -> T

  /// The object of this type that goes with the database. Made when first asked for, and the same
  /// for all who ask as long as any of them holds it: what works for a database is found from it,
  /// without a list of databases anywhere.
  func attachment<Object: AnyObject & Sendable>(
    of type: Object.Type, orMake make: () throws -> Object
  ) rethrows -> Object
}

extension ObservableDatabase {
  public func onCommit<Listener: AnyObject & Sendable>(
    while listener: Listener, _ body: @escaping @Sendable (Listener, CommitNotification) -> Void
  ) {
    onCommit(while: listener, body, answered: { _ in })
  }

  public func attachment<Object: AnyObject & Sendable>(
    orMake make: () throws -> Object
  ) rethrows -> Object { try attachment(of: Object.self, orMake: make) }
}
