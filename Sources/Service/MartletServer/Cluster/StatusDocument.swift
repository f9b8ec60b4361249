import MartletCluster
import MartletJSON

/// The JSON that a node sends about its cluster: `GET /cluster/nodes`.
enum StatusDocument {
  /// Writes the members of the document.
  ///
  /// - Parameter clock: The wall clock of the node, in milliseconds since 1970.
  static func write(_ status: ClusterStatus, clock: Int64, into object: inout JSONObjectWriter) {
    object.member("cluster", status.cluster)
    object.member("clock", Int(clock))
    object.member("id", "\(status.id)")
    object.member("leader", status.leader)
    object.member("nodes") { buffer in
      buffer.append(UInt8(ascii: "["))
      for (index, node) in status.nodes.enumerated() {
        if index > 0 { buffer.append(UInt8(ascii: ",")) }
        JSONWriter.object(into: buffer) { object in
          object.member("id", "\(node.id)")
          object.member("address", node.address)
          object.member("contact", node.contact)
          object.member("voter", node.isVoter)
          object.member("applied", Int(node.applied))
          object.member("durable", Int(node.durable))
          object.member("version", node.version)
          object.member("clockDifference", node.clockDifference.map { Int($0) })
          object.member(
            "secondsAgo", (ContinuousClock.now - node.seen) / .seconds(1))
        }
      }
      buffer.append(UInt8(ascii: "]"))
    }
  }

  /// Reads a document; `nil` if it has another form. During an upgrade it can be one of another
  /// version, so only what is needed to find the nodes must be there.
  static func read(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> (status: ClusterStatus, clock: Int64?)? {
    guard let object = try? JSONValue.parse(bytes).object, let cluster = object["cluster"]?.string,
      let id = object["id"]?.string.flatMap({ UInt64($0) }), let nodes = object["nodes"]?.array
    else { return nil }
    let status = ClusterStatus(
      cluster: cluster, id: id, leader: object["leader"]?.string, nodes: nodes.compactMap(node))
    return (status, object["clock"]?.int64)
  }

  private static func node(_ value: JSONValue) -> ClusterStatus.Node? {
    guard let node = value.object, let id = node["id"]?.string.flatMap({ UInt64($0) }),
      let address = node["address"]?.string, let contact = node["contact"]?.string,
      let isVoter = node["voter"]?.bool
    else { return nil }
    func number(_ name: String) -> Int64 { node[name]?.int64 ?? 0 }
    return ClusterStatus.Node(
      id: id, address: address, contact: contact, isVoter: isVoter, applied: number("applied"),
      durable: number("durable"), version: Int(number("version")),
      clockDifference: node["clockDifference"]?.int64,
      seen: .now - .seconds(node["secondsAgo"]?.double ?? 0))
  }
}
