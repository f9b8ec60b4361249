import Glibc
import MartletCluster
import MartletHTTP
import MartletLiveAPI
import MartletStore

/// Sends writes that clients have sent to this node to the primary.
///
/// Each has an ID, which is stored with its answer. So it can be sent again when a connection
/// breaks, to another primary too, and is done once.
final class Forwarder: Sendable {
  /// The field with the ID of a request.
  static let idField: StaticString = "Martlet-Forwarded-ID"
  /// The field that says that the client is on the machine of the node that has forwarded it.
  static let localField: StaticString = "Martlet-Forwarded-Local"
  /// How long to ask what has become of a request whose connection broke.
  private static let asking = Duration.seconds(10)
  /// The time that a primary may need for an answer: longer than its own limit for a request.
  private static let answerTime = Duration.seconds(60)
  /// The largest answer of a write: as large as the largest body, and its head.
  private static let largest = 80 << 20

  private let client: NodeClient
  private let patience: Duration
  private let onFailure: @Sendable (_ reason: String) -> Void
  private let executor = BoundedExecutor(width: 32, waiting: 1_000)

  /// - Parameter onFailure: Gets why the primary could not be reached, for each request that is
  ///   therefore refused.
  init(
    _ client: NodeClient, patience: Duration,
    onFailure: @escaping @Sendable (_ reason: String) -> Void
  ) {
    self.client = client
    self.patience = patience
    self.onFailure = onFailure
  }

  /// Sends a request to the primary. Calls back once.
  func forward(
    _ request: Request, of node: ClusterNode,
    completion: @escaping @Sendable (ForwardedAnswer) -> Void
  ) {
    let start = ContinuousClock.now
    let isTaken = executor.run { [self] in completion(answer(request, node, since: start)) }
    if !isTaken { completion(.overloaded) }
  }

  private func answer(
    _ request: Request, _ node: ClusterNode, since start: ContinuousClock.Instant
  ) -> ForwardedAnswer {
    let fields = fields(of: request)
    let target = request.withTarget { String(decoding: $0, as: UTF8.self) }
    // Whether the request may have been done.
    var isSent = false
    var end = start + patience
    var failure: (any Error)?
    while true {
      if ContinuousClock.now > end {
        if let failure { onFailure("\(failure)") }
        return isSent ? .unknown : .noPrimary
      }
      if node.isPrimary, !isSent { return .isHere }
      guard let contact = node.status.primary?.contact, !contact.isEmpty else {
        usleep(20_000)
        continue
      }
      do {
        let response = try client.send(
          request.method, target, fields, body: request.body, to: contact,
          timeout: Self.answerTime, largest: Self.largest, isRepeatable: true
        ) {
          // The machine may have failed without a word.
          node.status.primary.map { !$0.contact.isEmpty && $0.contact != contact } ?? false
        }
        guard response.fields.contains(Context.repeatable) else { return .response(response) }
        if response.status != .serviceUnavailable, !isSent {
          isSent = true
          end = .now + Self.asking
        }
      } catch ClientError.broken(let reason) {
        failure = ClientError.broken(reason)
        if !isSent, !request.method.isSafe {
          end = .now + Self.asking
          isSent = true
        }
      } catch { failure = error }
      usleep(10_000)
    }
  }

  /// The fields of the request, except the fields about its connection.
  private func fields(of request: Request) -> Fields {
    var fields = Fields()
    request.fields.visit { name, value in
      let name = String(decoding: name, as: UTF8.self)
      let lower = name.lowercased()
      guard !Self.dropped.contains(lower), !lower.hasPrefix("martlet-"),
        !lower.hasPrefix("x-forwarded-")
      else { return }
      fields.append(name: name, String(decoding: value, as: UTF8.self))
    }
    fields["X-Request-ID"] = request.id
    fields.append("X-Forwarded-For", request.client.address)
    fields.append(Self.idField, "\(UInt64.random(in: 0 ... .max))-\(UInt64.random(in: 0 ... .max))")
    if request.isLocal { fields.append(Self.localField, "true") }
    return fields
  }

  /// Fields of one connection (RFC 9110 section 7.6.1), and fields that are written anew.
  private static let dropped: Set<String> = [
    "connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "proxy-connection",
    "content-length", "expect", "forwarded", "x-request-id",
  ]
}
