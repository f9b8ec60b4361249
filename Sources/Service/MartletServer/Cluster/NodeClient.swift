import Glibc
import MartletCluster
import MartletHTTP
import MartletJSON
import MartletStore
import MartletTime
import Synchronization

/// Requests to the internal ports of other nodes. Connections are kept and used again.
final class NodeClient: Sendable {
  /// The field with the secret.
  static let secretField: StaticString = "Martlet-Cluster-Secret"
  /// The field of a response that says that the secret was refused, and nothing else was looked at.
  static let refused: StaticString = "Martlet-Cluster-Secret-Refused"
  /// How many connections to one node are kept.
  private static let mostIdle = 32

  private let secret: ClusterSecret
  private let idle = Mutex<[String: [ClientConnection]]>([:])

  init(_ secret: ClusterSecret) { self.secret = secret }

  /// Sends a request and returns its response. Throws `unreachable` if the node has another secret.
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
    // The other node may not have the newest secret yet.
    for secret in secret.sent {
      let response = try send(
        method, target, complete(fields, contact, secret), body: body, to: contact,
        timeout: timeout, largest: largest, isRepeatable, givesUp)
      if !response.fields.contains(Self.refused) { return response }
    }
    throw .unreachable("\(contact) has another secret")
  }

  private func send(
    _ method: Method, _ target: String, _ fields: Fields, body: SharedBytes?,
    to contact: String, timeout: Duration, largest: Int, _ isRepeatable: Bool,
    _ givesUp: () -> Bool
  ) throws(ClientError) -> Response {
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

  /// The answer of a node about the cluster and itself.
  struct Answer {
    var status: ClusterStatus
    /// Its wall clock minus that of this machine, in milliseconds, if it says what it is.
    var clockDifference: Int?
    /// The time until the answer.
    var time: Duration
  }

  /// Asks a node for its status. Throws an error that says why it does not answer.
  func ask(_ contact: String) throws -> Answer {
    let start = Clock.system.now().milliseconds
    let begin = ContinuousClock.now
    let response: Response
    do throws(ClientError) {
      response = try send(
        .get, "/cluster/nodes", to: contact, timeout: .seconds(2), largest: 1 << 20)
    } catch { throw Failure("\(contact): \(error)") }
    let time = ContinuousClock.now - begin
    guard case .shared(let body) = response.body, response.status == .ok,
      let (status, clock) = StatusDocument.read(body.bytes)
    else {
      throw Failure(
        "\(contact) has sent no status: \(response.status). --cluster-http is the address to ask")
    }
    let middle = start + Int64(time / .milliseconds(2))
    return Answer(status: status, clockDifference: clock.map { Int($0 - middle) }, time: time)
  }

  /// Writes the body of a response to a file, which must not exist.
  func download(_ target: String, from contact: String, to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw CopyError.file(path, errno) }
    defer { close(file) }
    var status = Status.unauthorized
    // The other node may not have the newest secret yet.
    for secret in secret.sent where status == .unauthorized {
      guard ftruncate(file, 0) == 0, lseek(file, 0, SEEK_SET) == 0 else {
        throw CopyError.file(path, errno)
      }
      var content = Content(file: file, path: path)
      let connection = try ClientConnection(to: contact, timeout: .seconds(5))
      status = try connection.download(target, complete(.none, contact, secret)) {
        try content.write($0)
      }
    }
    guard status == .ok else { throw ClusterError.connection("\(contact)\(target): \(status)") }
  }

  /// Writes a database that is sent in parts.
  private struct Content {
    let file: Int32
    let path: String
    private var isBeginning = true

    init(file: Int32, path: String) { (self.file, self.path) = (file, path) }

    mutating func write(_ part: SharedBytes) throws {
      var done = 0
      // Line feeds say that the copy is being made.
      while isBeginning, done < part.bytes.count {
        if part.bytes[done] != UInt8(ascii: "\n") { isBeginning = false } else { done += 1 }
      }
      while done < part.bytes.count {
        let count = Glibc.write(file, part.bytes.baseAddress! + done, part.bytes.count - done)
        guard count >= 0 || errno == EINTR else { throw CopyError.file(path, errno) }
        done += max(count, 0)
      }
    }
  }

  private func complete(_ fields: Fields, _ contact: String, _ secret: String) -> Fields {
    var fields = fields
    if !fields.contains("Host") { fields.append("Host", contact) }
    fields.append(Self.secretField, secret)
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
