import Glibc
import MartletCluster
import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletReminders
import MartletStore

/// `martlet cluster status`, `transfer [ID]`, `remove ID`, `secret`, `leave` and `recover`.
enum ClusterCommand {
  static func run(_ values: Values) throws {
    let operands = values.operands
    switch (operands.first, operands.count) {
    case ("secret", 1): Output.line(ClusterSecret.make())
    case ("status", 1): try status(try NodeControl(values))
    case ("transfer", 1...2):
      let id = operands.count > 1 ? try id(operands[1]) : nil
      try NodeControl(values).onPrimary(
        .post, "/cluster/transfer" + (id.map { "?id=\($0)" } ?? ""))
      print(id.map { "node \($0) leads" } ?? "another node leads")
    case ("remove", 2):
      let id = try id(operands[1])
      try NodeControl(values).onPrimary(.post, "/cluster/remove?id=\(id)")
      print("node \(id) is removed; it must not come back with its folder")
    case ("leave", 1): try leave(values)
    case ("recover", 1): try recover(values)
    default:
      throw UsageError(
        "usage: cluster status, cluster transfer [ID], cluster remove ID, cluster secret, cluster leave, or cluster recover; not \"\(operands.joined(separator: " "))\""
      )
    }
  }

  private static func id(_ text: String) throws -> UInt64 {
    guard let id = UInt64(text) else {
      throw UsageError("\"\(text)\" is no ID of a node; cluster status shows the IDs")
    }
    return id
  }

  private static func status(_ control: NodeControl) throws {
    let document = try control.status()
    let last = document.primary?.applied
    var rows = [
      ["ID", "ROLE", "ADDRESS", "INTERNAL", "ENTRY", "BEHIND", "ON DISK", "CLOCK", "SEEN"]
    ]
    for node in document.nodes {
      let role =
        node.address == document.leader ? "primary" : node.isVoter ? "replica" : "joining"
      rows.append([
        "\(node.id)", role, node.address, node.contact.isEmpty ? "-" : node.contact,
        "\(node.applied)", last.map { "\(max($0 - node.applied, 0))" } ?? "-", "\(node.durable)",
        "\(node.clockDifference) ms", "\(Int(node.secondsAgo.rounded())) s ago",
      ])
    }
    for line in TextTable.lines(rows) { Output.line(line) }
    guard document.primary == nil else { return }
    throw Failure("no node leads: most nodes cannot be reached, or they are electing one")
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

/// Requests of a command to a running node, and from there to the primary.
struct NodeControl {
  private let contact: String
  private let client: NodeClient

  /// Takes the internal address and the secret from the settings.
  init(_ values: Values) throws {
    guard let address = NodeAddress(values.text(.clusterHTTP)) else {
      throw UsageError(
        "\(values.name(.clusterHTTP)) must be the internal address of a running node, such as 10.88.0.1:9502"
      )
    }
    guard !values.text(.clusterSecretFile).isEmpty else {
      throw UsageError("--cluster-secret-file must name the file with the secret of the cluster")
    }
    contact = address.description
    client = NodeClient(try ClusterSecret(file: values.text(.clusterSecretFile)))
  }

  func status() throws -> StatusDocument {
    let response = try send(.get, "/cluster/nodes", to: contact)
    guard case .shared(let body) = response.body, let document = StatusDocument(body.bytes) else {
      throw Failure("\(contact) has sent no status")
    }
    return document
  }

  /// Sends a request to the node itself, and returns the text of its answer.
  @discardableResult
  func onNode(_ method: MartletHTTP.Method, _ target: String, body: SharedBytes? = nil) throws
    -> String
  {
    Self.text(try send(method, target, body: body, to: contact))
  }

  /// Sends a request to the primary, and returns the text of its answer.
  @discardableResult
  func onPrimary(_ method: MartletHTTP.Method, _ target: String, body: SharedBytes? = nil) throws
    -> String
  {
    let deadline = ContinuousClock.now + Self.patience
    while true {
      let isLate = ContinuousClock.now >= deadline
      if let primary = try status().primary, !primary.contact.isEmpty {
        do {
          return Self.text(try send(method, target, body: body, to: primary.contact))
        } catch is NotPrimary where !isLate {}
      } else if isLate {
        throw Failure("no node leads: most nodes cannot be reached, or they are electing one")
      }
      usleep(100_000)
    }
  }

  /// How long to wait while the nodes elect a primary.
  private static let patience = Duration.seconds(5)

  private struct NotPrimary: Error, CustomStringConvertible {
    let description: String
  }

  private func send(
    _ method: MartletHTTP.Method, _ target: String, body: SharedBytes? = nil, to contact: String
  ) throws -> Response {
    let response: Response
    do throws(ClientError) {
      response = try client.send(
        method, target, body: body, to: contact, timeout: .seconds(900), largest: 1 << 20)
    } catch { throw Failure("the node does not answer: \(error)") }
    guard response.status.rawValue < 300 else {
      let text = Self.text(response).trimmed
      if response.status == .misdirectedRequest { throw NotPrimary(description: text) }
      throw Failure(text.isEmpty ? "\(contact): status \(response.status)" : text)
    }
    return response
  }

  private static func text(_ response: Response) -> String {
    if case .shared(let body) = response.body {
      String(decoding: body.bytes, as: UTF8.self)
    } else {
      ""
    }
  }
}
