import Glibc
import MartletCluster
import MartletHTTP
import MartletStore

/// Compares the content of all nodes: `martlet cluster status --verify`.
struct ContentComparison {
  /// How long to wait for the digests. A node needs some seconds for each GB.
  private static let patience = Duration.seconds(600)

  private let control: NodeControl
  private let entry: Int64

  /// Lets all nodes make a digest after the same entry of the log.
  init(_ control: NodeControl) throws {
    self.control = control
    let answer = try control.onPrimary(.post, "/cluster/check")
    guard let entry = Int64(answer.trimmed) else { throw Failure("the primary has sent no entry") }
    self.entry = entry
  }

  /// The difference of each node from the primary, by IDs. Also returns whether all nodes have the
  /// same.
  func compare(_ status: ClusterStatus) -> (texts: [UInt64: String], areEqual: Bool) {
    let deadline = ContinuousClock.now + Self.patience
    var texts: [UInt64: String] = [:]
    var areEqual = true
    let leading = status.primary.map { result($0, deadline) }
    for node in status.nodes {
      let found = node.id == status.primary?.id ? leading ?? .text("?") : result(node, deadline)
      switch (found, leading) {
      case (.text(let text), _):
        texts[node.id] = text
        areEqual = false
      case (.digest(let digest), .digest(let wanted)?):
        let names = digest.differences(from: wanted)
        texts[node.id] = names.isEmpty ? "the same" : "differs: " + names.joined(separator: " ")
        areEqual = areEqual && names.isEmpty
      case (.digest, _): texts[node.id] = "not compared"
      }
    }
    return (texts, areEqual)
  }

  private enum Found {
    case digest(ContentDigest)
    case text(String)
  }

  /// Waits for the digest of a node.
  private func result(_ node: ClusterStatus.Node, _ deadline: ContinuousClock.Instant) -> Found {
    var hasSkipped = false
    while ContinuousClock.now < deadline {
      guard !node.contact.isEmpty,
        let document = try? control.content(of: node.contact, at: entry)
      else { return .text("no answer") }
      switch document.check {
      case .finished(let digest): return .digest(digest)
      case .failed(let reason): return .text(reason)
      case nil where document.seq >= entry:
        // Between an entry and the beginning of its digest is a moment.
        if hasSkipped { return .text("still compares for another command, or has just started") }
        hasSkipped = true
      case nil, .running: break
      }
      usleep(100_000)
    }
    return .text("not ready in time")
  }
}
