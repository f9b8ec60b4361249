/// How a node takes part in a cluster.
public struct ClusterSettings: Sendable {
  /// How a node without a folder begins.
  public enum Beginning: Sendable, Equatable {
    /// As the first node of a new cluster, with the content of its file.
    case bootstrap
    /// As a further node of the cluster that these addresses belong to.
    case join([String])
  }

  /// The address for the log: numeric IPv4 and port. All other nodes must reach it.
  public var address: String
  /// How the other nodes reach the service of this node, in a form that only the program knows.
  public var contact = ""
  /// The folder of the node, with dqlite's files and `node.json`.
  public var folder: String
  /// How the node begins. It has no meaning once the folder exists.
  public var beginning: Beginning
  /// The time of a message between two nodes, at most. An election begins after fifteen times of
  /// it. The same on all nodes; the default is 20 milliseconds.
  public var latency: Duration = .milliseconds(20)
  /// How long most nodes may need to fetch a staged file. Writes wait meanwhile. The default is 10
  /// minutes.
  public var stagingTime: Duration = .seconds(600)

  /// How long the first node of a new cluster listens for nodes of an older one, which would take
  /// it back. They try once a second. The default is 2.5 seconds.
  public var listeningTime: Duration = .milliseconds(2_500)

  /// Creates settings.
  public init(address: String, folder: String, beginning: Beginning) {
    self.address = address
    self.folder = folder
    self.beginning = beginning
  }
}
