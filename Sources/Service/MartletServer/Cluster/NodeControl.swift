import Glibc
import MartletCluster
import MartletHTTP
import MartletJSON

/// Requests of a command to a running node, and from there to the primary.
struct NodeControl {
  private let contact: String
  private let client: NodeClient

  /// Takes the internal address and the secret from the settings.
  init(_ values: Values) throws {
    guard let address = NodeAddress(values.text(.clusterHTTP)) else {
      throw UsageError(
        "for the database of a cluster, \(values.name(.clusterHTTP)) must be the internal address of a running node, such as 10.88.0.1:9502"
      )
    }
    guard !values.text(.clusterSecretFile).isEmpty else {
      throw UsageError(
        "for the database of a cluster, --cluster-secret-file must name the file with its secret")
    }
    contact = address.description
    client = NodeClient(try ClusterSecret(file: values.text(.clusterSecretFile)))
  }

  func status() throws -> ClusterStatus { try ask(contact).status }

  /// Asks a node for its status.
  func ask(_ contact: String) throws -> NodeClient.Answer { try client.ask(contact) }

  /// The answer of a node about the digest of its content at an entry of the log.
  func content(of contact: String, at entry: Int64) throws -> ContentDocument {
    let response = try send(
      .get, "/cluster/check?entry=\(entry)", to: contact, timeout: .seconds(5))
    guard case .shared(let body) = response.body, let document = ContentDocument(body.bytes) else {
      throw Failure("\(contact) has sent no digest")
    }
    return document
  }

  /// Sends a request to a node, and returns the text of its answer.
  @discardableResult
  func on(
    _ contact: String, _ method: MartletHTTP.Method, _ target: String
  ) throws -> String {
    Self.text(try send(method, target, to: contact))
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

  /// Only the primary can do what a request has asked for.
  struct NotPrimary: Error, CustomStringConvertible {
    let description: String
  }

  private func send(
    _ method: MartletHTTP.Method, _ target: String, body: SharedBytes? = nil, to contact: String,
    timeout: Duration = .seconds(900)
  ) throws -> Response {
    let response: Response
    do throws(ClientError) {
      response = try client.send(
        method, target, body: body, to: contact, timeout: timeout, largest: 1 << 20)
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
