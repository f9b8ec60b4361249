import MartletHTTP
import MartletStore

/// The other nodes of a service that runs on several machines (``Service/cluster``).
///
/// Each node answers all requests: reads and streams from its own file, once that has everything
/// that was acknowledged, and writes by way of the node that is the primary.
public protocol ServiceCluster: AnyObject, Sendable {
  /// Opens the database as a node of the cluster. Called once, before anything else.
  func openDatabase(
    _ open: (any Replicator) throws -> EmbeddedDatabase
  ) throws -> EmbeddedDatabase

  /// Whether the file has another schema than the program, so that other nodes must answer all
  /// requests. Known when the database is opened.
  var forwardsEverything: Bool { get }

  /// Whether this node is the primary, which accepts writes.
  var isPrimary: Bool { get }

  /// Whether the file has everything that any node has acknowledged, as far as that is known
  /// without waiting.
  var isFresh: Bool { get }

  /// Calls back, once, when the file has everything that was acknowledged before; with false if
  /// that is not found out in time.
  func whenFresh(_ completion: @escaping @Sendable (Bool) -> Void)

  /// For how long the file may have been outdated, if reads are to be answered from it even then;
  /// `nil`: they are refused. Event streams are refused in any case.
  var staleness: Duration? { get }

  /// Sends a request to the primary and calls back once. It must not block.
  func forward(
    _ request: Request, completion: @escaping @Sendable (ForwardedAnswer) -> Void)

  /// Why this node should get no requests now; `nil` if it should. Called on event loops.
  var trouble: String? { get }
}

/// The result of a request that was sent to the primary.
public enum ForwardedAnswer: Sendable {
  /// The primary has answered.
  case response(Response)
  /// This node has become the primary. It answers the request itself.
  case isHere
  /// No node leads. Nothing was done.
  case noPrimary
  /// Too many requests wait for the primary. Nothing was done.
  case overloaded
  /// The connection broke, and the primary cannot be asked what it has done.
  case unknown
}
