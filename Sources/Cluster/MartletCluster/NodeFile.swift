import Glibc
import MartletJSON
import MartletStore

/// Who a node is: its ID and address, in `node.json` in the folder of the cluster.
///
/// Both stay the same for as long as the folder exists. A node that has lost the folder has lost
/// its votes as well, and must not come back under its old ID.
struct NodeFile: Sendable, Equatable {
  let id: UInt64
  let address: String
  /// Whether the node is or was a member. Until then its joining is tried again.
  var isMember: Bool

  private static func path(_ folder: String) -> String { folder + "/node.json" }

  /// The file of a folder; `nil` if it does not exist.
  static func read(in folder: String) throws -> NodeFile? {
    let path = path(folder)
    guard let bytes = try DurableFile.read(path, limit: 4096) else { return nil }
    guard let object = try? JSONValue.parse(bytes).object,
      let id = object["id"]?.string.flatMap({ UInt64($0) }),
      let address = object["address"]?.string, let isMember = object["member"]?.bool
    else { throw ClusterError.nodeFile("\(path) is damaged") }
    return NodeFile(id: id, address: address, isMember: isMember)
  }

  func write(in folder: String) throws {
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw ClusterError.nodeFile(
        "\(folder) cannot be created: \(String(cString: strerror(errno)))")
    }
    let text = #"{"id":"\#(id)","address":"\#(address)","member":\#(isMember)}"# + "\n"
    try DurableFile.write(Array(text.utf8), to: Self.path(folder))
  }
}
