import Glibc
import MartletCluster
import MartletHTTP
import MartletJSON
import MartletStore
import Synchronization

/// Requests to the internal ports of other nodes. Connections are kept and used again.
final class NodeClient: Sendable {
  /// The field with the secret.
  static let secretField: StaticString = "Martlet-Cluster-Secret"
  /// How many connections to one node are kept.
  private static let mostIdle = 32

  private let secret: ClusterSecret
  private let idle = Mutex<[String: [ClientConnection]]>([:])

  init(_ secret: ClusterSecret) { self.secret = secret }

  /// Sends a request and returns its response.
  ///
  /// - Parameters:
  ///   - contact: The internal address of the node: `10.88.0.1:9502`.
  ///   - timeout: How long to wait for each part of the response.
  ///   - isRepeatable: Whether the request can be sent twice, so that a kept connection can be
  ///     used.
  ///   - givesUp: Asked while nothing comes: whether to wait no longer.
  func send(
    _ method: Method, _ target: String, _ fields: Fields = .none, body: SharedBytes? = nil,
    to contact: String, timeout: Duration, largest: Int, isRepeatable: Bool = false,
    givesUp: () -> Bool = { false }
  ) throws(ClientError) -> Response {
    let fields = complete(fields, contact)
    // The other side may have closed a connection that was kept.
    var broken: ClientError?
    if isRepeatable, let kept = take(contact) {
      do throws(ClientError) {
        let response = try kept.send(
          method, target, fields, body: body, largest: largest, givesUp: givesUp)
        keep(kept, contact)
        return response
      } catch { broken = error }
    }
    let connection: ClientConnection
    do throws(ClientError) {
      connection = try ClientConnection(to: contact, timeout: timeout)
    } catch { throw broken ?? error }
    let response = try connection.send(
      method, target, fields, body: body, largest: largest, givesUp: givesUp)
    if isRepeatable { keep(connection, contact) }
    return response
  }

  /// What a node knows of the cluster. Throws a ``MartletHTTP/ClientError`` if it does not answer,
  /// and a ``Failure`` if it answers something else.
  func status(of contact: String) throws -> ClusterStatus {
    let response = try send(
      .get, "/cluster/nodes", to: contact, timeout: .seconds(2), largest: 1 << 20)
    guard case .shared(let body) = response.body, response.status == .ok,
      let status = StatusDocument.read(body.bytes)
    else {
      throw Failure(
        response.status == .unauthorized
          ? "\(contact) has another secret" : "\(contact) has sent no status: \(response.status)")
    }
    return status
  }

  /// Writes the body of a response to a file, which must not exist.
  func download(_ target: String, from contact: String, to path: String) throws {
    let connection = try ClientConnection(to: contact, timeout: .seconds(5))
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw CopyError.file(path, errno) }
    defer { close(file) }
    var isBeginning = true
    let status = try connection.download(target, complete(.none, contact)) { part in
      var done = 0
      // Line feeds say that the copy is being made.
      while isBeginning, done < part.bytes.count {
        if part.bytes[done] != UInt8(ascii: "\n") { isBeginning = false } else { done += 1 }
      }
      while done < part.bytes.count {
        let count = write(file, part.bytes.baseAddress! + done, part.bytes.count - done)
        guard count >= 0 || errno == EINTR else { throw CopyError.file(path, errno) }
        done += max(count, 0)
      }
    }
    guard status == .ok else { throw ClusterError.connection("\(contact)\(target): \(status)") }
  }

  private func complete(_ fields: Fields, _ contact: String) -> Fields {
    var fields = fields
    if !fields.contains("Host") { fields.append("Host", contact) }
    fields.append(Self.secretField, secret.sent)
    return fields
  }

  private func take(_ contact: String) -> ClientConnection? {
    idle.withLock { $0[contact]?.popLast() }
  }

  private func keep(_ connection: ClientConnection, _ contact: String) {
    guard connection.isUsable else { return }
    idle.withLock { idle in
      if idle[contact, default: []].count < Self.mostIdle { idle[contact]?.append(connection) }
    }
  }
}
