import MartletCluster
import MartletHTTP

/// The settings of a server that is a node of a cluster.
struct ClusterOptions: Sendable {
  /// The address for the log.
  var address: NodeAddress
  /// The internal address for requests of other nodes and of commands.
  var http: NodeAddress
  /// How the node begins, if it has no folder yet.
  var beginning: Beginning
  var folder: String
  var secret: ClusterSecret
  var latency: Duration
  /// How long requests wait while no node leads.
  var patience: Duration
  /// Whether reads are answered from a file that may be outdated, rather than refused.
  var answersStaleReads: Bool

  enum Beginning: Sendable {
    case bootstrap
    /// By way of the internal addresses of other nodes.
    case join([NodeAddress])
    /// As the node that it is already.
    case known
  }

  /// The folder of the node.
  static func folder(_ values: Values) -> String {
    let named = values.text(.clusterFolder)
    return named.isEmpty ? values.text(.database) + ".cluster" : named
  }

  /// The options; `nil` for a server of its own.
  init?(_ values: Values) throws {
    guard !values.text(.clusterAddress).isEmpty else {
      for setting in [Setting.clusterHTTP, .clusterSecretFile] where !values.text(setting).isEmpty {
        throw UsageError("\(values.name(setting)) needs --cluster-address")
      }
      if let given = values.given(.clusterJoin).first {
        throw UsageError("\(given.name) needs --cluster-address")
      }
      for setting in [Setting.clusterBootstrap, .staleReads] where values.isOn(setting) {
        throw UsageError("\(values.name(setting)) needs --cluster-address")
      }
      return nil
    }
    let trusts = values.isOn(.clusterTrustNetwork)
    func address(_ text: String, _ name: String, _ port: Int) throws -> NodeAddress {
      guard !text.isEmpty else {
        throw UsageError("--cluster-address needs \(name), such as 10.88.0.1:\(port)")
      }
      guard let address = NodeAddress(text) else {
        throw UsageError(
          "\(name) must be a numeric IPv4 address and a port, such as 10.88.0.1:\(port), not \"\(text)\""
        )
      }
      guard address.isPrivate || trusts else {
        throw UsageError(
          "\(name) is \(text), which is no address of a private network. What the nodes send is not encrypted: connect them by a private network, or accept the risk with --cluster-trust-network"
        )
      }
      return address
    }
    self.address = try address(values.text(.clusterAddress), values.name(.clusterAddress), 9501)
    http = try address(values.text(.clusterHTTP), values.name(.clusterHTTP), 9502)
    guard self.address != http else {
      throw UsageError("--cluster-address and --cluster-http must be two addresses")
    }
    let others = try values.given(.clusterJoin).map { try address($0.text, $0.name, 9502) }
    guard others.isEmpty || !values.isOn(.clusterBootstrap) else {
      throw UsageError(
        "--cluster-bootstrap begins a cluster, and --cluster-join joins one: give one")
    }
    beginning =
      values.isOn(.clusterBootstrap) ? .bootstrap : others.isEmpty ? .known : .join(others)
    folder = Self.folder(values)
    guard !values.text(.clusterSecretFile).isEmpty else {
      throw UsageError(
        "--cluster-address needs --cluster-secret-file: martlet cluster secret > FILE makes one")
    }
    do { secret = try ClusterSecret(file: values.text(.clusterSecretFile)) } catch {
      throw UsageError("\(values.name(.clusterSecretFile)): \(error)")
    }
    latency = try values.duration(.clusterLatency)
    patience = try values.duration(.clusterPatience)
    answersStaleReads = values.isOn(.staleReads)
  }
}
