import Glibc
import MartletCluster
import MartletStore

// What a node of a cluster needs from its disk and from the other nodes.
extension Doctor {
  /// From this time on, flushing a page to disk makes writes slow.
  private static let slowDisk = Duration.milliseconds(20)
  /// How much room the log needs: the entries that are kept, and dqlite's own copies of them.
  private static let logSize = 512 << 20
  /// The difference of clocks from which doctor warns, in milliseconds.
  private static let largeDifference = 500

  mutating func cluster(_ options: ClusterOptions) {
    // Before the first start the folder does not exist.
    let folder =
      Folder.exists(options.folder) ? options.folder : DurableFile.folder(of: options.folder)
    disk(folder)
    nodes(options)
  }

  private func disk(_ folder: String) {
    if let time = Self.syncTime(in: folder) {
      let text = "a page in \(folder) is on disk after \(Self.text(time))"
      time < Self.slowDisk
        ? say(text)
        : warn("\(text), and each write waits for the disks of most nodes: use a faster disk")
    }
    var disk = statvfs()
    guard statvfs(folder, &disk) == 0 else { return }
    let text = "\(disk.freeBytes >> 20) MiB free for the log in \(folder)"
    disk.freeBytes > Self.logSize
      ? say(text) : warn("\(text): it may need \(Self.logSize >> 20) MiB; free disk space")
  }

  private mutating func nodes(_ options: ClusterOptions) {
    let client = NodeClient(options.secret)
    var contacts = [options.http]
    if case .join(let others) = options.beginning { contacts += others }
    var status: ClusterStatus?
    var reasons: [String] = []
    for contact in contacts where status == nil {
      do { status = try client.ask(contact.description).status } catch {
        reasons.append("\(error)")
      }
    }
    guard let status else {
      return warn(
        "no node of the cluster answers, so the others were not checked: \(reasons.joined(separator: "; "))"
      )
    }
    if let primary = status.primary {
      say("node \(primary.id) at \(primary.address) is the primary")
    } else {
      fault("no node leads: most nodes cannot be reached, or they are electing one")
    }
    for node in status.nodes where node.id != status.id { check(node, client) }
    let voters = status.nodes.count { $0.isVoter }
    if voters == 2 {
      warn("the cluster has two nodes, and without both nothing is written: add a third one")
    }
    let versions = Set(status.nodes.map(\.version)).subtracting([0])
    if versions.count > 1 {
      let list = versions.sorted().map { "\($0)" }.joined(separator: " and ")
      fault("the nodes have different versions of libdqlite, \(list): install the same one")
    }
  }

  private mutating func check(_ node: ClusterStatus.Node, _ client: NodeClient) {
    let name = "node \(node.id) at \(node.contact.isEmpty ? node.address : node.contact)"
    guard !node.contact.isEmpty else {
      return warn("\(name) has never reported: it may not have joined yet")
    }
    let answer: NodeClient.Answer
    do { answer = try client.ask(node.contact) } catch {
      return fault(
        "\(name) does not answer (\(error)): start it, repair the network, or take it out with martlet cluster remove \(node.id)"
      )
    }
    let difference = abs(answer.clockDifference ?? 0)
    let text = "\(name) answers after \(Self.text(answer.time))"
    switch difference {
    case ..<Self.largeDifference: say(text)
    case ..<ClusterService.largestDifference:
      warn("\(text), and its clock differs by \(difference) ms: keep the clocks with NTP")
    default:
      fault(
        "\(text), but its clock differs by \(difference) ms, so that nodes are not ready: keep the clocks with NTP"
      )
    }
  }

  private static func text(_ time: Duration) -> String {
    "\(Int((time / .milliseconds(1)).rounded(.up))) ms"
  }

  /// The median of the times that it takes to bring a page to disk; `nil` if no file can be made.
  private static func syncTime(in folder: String) -> Duration? {
    var template = Array("\(folder)/doctor-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else { return nil }
    defer { close(file) }
    unlink(template)
    let page = [UInt8](repeating: 0, count: 4096)
    var times: [Duration] = []
    for _ in 0..<15 {
      let start = ContinuousClock.now
      guard write(file, page, page.count) == page.count, fdatasync(file) == 0 else { return nil }
      times.append(.now - start)
    }
    return times.sorted()[times.count / 2]
  }
}
