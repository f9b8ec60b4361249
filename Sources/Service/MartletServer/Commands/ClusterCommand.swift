import MartletCluster
import MartletReminders

/// `martlet cluster status`, `transfer [ID]`, `remove ID`, `copy ID`, `secret`, `leave` and
/// `recover`.
enum ClusterCommand {
  static func run(_ values: Values) throws {
    let operands = values.operands
    switch (operands.first, operands.count) {
    case ("secret", 1): Output.line(ClusterSecret.make())
    case ("status", 1): try status(try NodeControl(values), verifies: values.isOn(.verify))
    case ("transfer", 1...2):
      let id = operands.count > 1 ? try id(operands[1]) : nil
      try NodeControl(values).onPrimary(
        .post, "/cluster/transfer" + (id.map { "?id=\($0)" } ?? ""))
      print(id.map { "node \($0) leads" } ?? "another node leads; cluster status shows which")
    case ("remove", 2):
      let id = try id(operands[1])
      try NodeControl(values).onPrimary(.post, "/cluster/remove?id=\(id)")
      print("node \(id) is removed, and ends; it must not come back with its folder")
    case ("copy", 2): try copy(try id(operands[1]), try NodeControl(values))
    case ("leave", 1): try leave(values)
    case ("recover", 1): try recover(values)
    case ("remove", 1), ("copy", 1):
      throw UsageError(
        "cluster \(operands[0]) needs the ID of a node; cluster status shows the IDs")
    default:
      throw UsageError(
        "usage: cluster status, cluster transfer [ID], cluster remove ID, cluster copy ID, cluster secret, cluster leave, or cluster recover; not \"\(operands.joined(separator: " "))\""
      )
    }
  }

  private static func id(_ text: String) throws -> UInt64 {
    guard let id = UInt64(text) else {
      throw UsageError("\"\(text)\" is no ID of a node; cluster status shows the IDs")
    }
    return id
  }

  /// Prints a line for each node.
  ///
  /// - Parameter verifies: Whether to compare the content of the nodes.
  private static func status(_ control: NodeControl, verifies: Bool) throws {
    let status = try control.status()
    let content = try verifies ? ContentComparison(control).compare(status) : nil
    let last = status.primary?.applied
    let answers = status.nodes.map { try? control.ask($0.contact) }
    // The primary's clock is that of the rows.
    let leading = status.nodes.firstIndex { $0.address == status.leader }
    let clock = leading.flatMap { answers[$0]?.clockDifference } ?? 0
    var rows = [
      ["ID", "ROLE", "ADDRESS", "INTERNAL", "ENTRY", "BEHIND", "ON DISK", "CLOCK", "SEEN"]
        + (verifies ? ["CONTENT"] : [])
    ]
    for (node, answer) in zip(status.nodes, answers) {
      let role =
        node.address == status.leader ? "primary" : node.isVoter ? "replica" : "joining"
      let seen = (ContinuousClock.now - node.seen) / .seconds(1)
      rows.append(
        [
          "\(node.id)", answer == nil ? "\(role), no answer" : role, node.address,
          node.contact.isEmpty ? "-" : node.contact, "\(node.applied)",
          answer == nil ? "-" : last.map { "\(max($0 - node.applied, 0))" } ?? "-",
          "\(node.durable)", answer?.clockDifference.map { "\($0 - clock) ms" } ?? "-",
          "\(Int(seen.rounded())) s ago",
        ] + (content.map { [$0.texts[node.id] ?? "-"] } ?? []))
    }
    for line in TextTable.lines(rows) { Output.line(line) }
    guard status.primary != nil else {
      throw Failure("no node leads: most nodes cannot be reached, or they are electing one")
    }
    guard content?.areEqual != false else {
      throw Failure(
        "not all nodes have the same content; with martlet cluster copy ID, one that differs takes a copy of the primary's file"
      )
    }
  }

  private static func copy(_ id: UInt64, _ control: NodeControl) throws {
    guard let node = try control.status().nodes.first(where: { $0.id == id }),
      !node.contact.isEmpty
    else { throw Failure("there is no node \(id); cluster status shows the IDs") }
    Output.line(try control.on(node.contact, .post, "/cluster/copy").trimmed)
  }

  private static func leave(_ values: Values) throws {
    let path = values.text(.database)
    let position = try ClusterFile.leave(path, folder: ClusterOptions.folder(values))
    print("\(path) belongs to no cluster now. It has entry \(position.seq) of the log as its last")
  }

  private static func recover(_ values: Values) throws {
    let path = values.text(.database)
    let position = try ClusterFile.leave(path, folder: ClusterOptions.folder(values)) {
      connection in
      // Clients may have seen changes that this file does not have.
      try RemindersDatabase.startFeedAnew(connection)
    }
    print(
      """
      \(path) can begin a new cluster. It has entry \(position.seq) of the log as its last: what later entries did is \
      lost, so choose the node with the highest number.
      Start it with --cluster-bootstrap. On the other machines, move the database and its folder away, and join.
      """)
  }
}
