import MartletCluster

/// Fetches files from the internal ports of other nodes.
struct NodeSnapshots: SnapshotSource {
  private let client: NodeClient
  private let contacts: [String: String]
  private let status: @Sendable () -> ClusterStatus?

  /// - Parameters:
  ///   - contacts: The internal addresses that were known before joining, by addresses for the log.
  ///   - status: What the node knows of the cluster.
  init(
    _ client: NodeClient, _ contacts: [String: String],
    status: @escaping @Sendable () -> ClusterStatus?
  ) {
    self.client = client
    self.contacts = contacts
    self.status = status
  }

  func fetch(_ content: SnapshotContent, from address: String, to path: String) throws {
    let known = status()?.nodes.first { $0.address == address }?.contact
    guard let contact = known.flatMap({ $0.isEmpty ? nil : $0 }) ?? contacts[address] else {
      throw ClusterError.connection("the internal address of \(address) is not known")
    }
    switch content {
    case .database: try client.download("/cluster/database", from: contact, to: path)
    case .staged(let tag):
      try client.download("/cluster/staged/\(String(tag, radix: 16))", from: contact, to: path)
    }
  }
}
