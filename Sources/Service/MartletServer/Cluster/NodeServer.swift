import Glibc
import MartletCluster
import MartletHTTP
import MartletJSON
import MartletStore
import MartletTime
import Synchronization

/// The internal port of a node: what the other nodes and the commands ask for. Each request needs
/// the secret of the cluster.
final class NodeServer: Sendable {
  private let server: HTTPServer

  /// - Parameters:
  ///   - address: The address to listen on: `10.88.0.1:9502`.
  ///   - firstLoop: The index of its event loops, after those of the public server.
  ///   - routes: The routes of the public server, for requests that other nodes forward.
  ///   - limits: The limits of the public server.
  init(
    _ address: NodeAddress, firstLoop: Int, limits: Limits, secret: ClusterSecret,
    node: ClusterNode, routes: Router
  ) throws {
    var router = routes
    Self.addRoutes(to: &router, node)
    NodeOperations.addRoutes(to: &router, node)
    NodeTransfers.addRoutes(to: &router, node.database)
    let guarded = router.guarded { request in
      guard secret.accepts(request.fields[NodeClient.secretField]) else {
        var refusal = Response.text(
          "This port is for the nodes of a cluster and needs their secret.\n", .unauthorized)
        refusal.fields.append(NodeClient.refused, "true")
        return refusal
      }
      if let id = request.fields[Forwarder.idField] {
        request.forwarding = .init(
          id: id, isLocal: request.fields.contains(Forwarder.localField))
      }
      return nil
    }
    var configuration = HTTPServer.Configuration()
    configuration.host = address.host
    configuration.port = address.port
    configuration.loops = 1
    configuration.firstLoop = firstLoop
    configuration.limits = limits
    // They come from few addresses, and were counted where clients have sent them.
    configuration.isCounted = { _ in false }
    configuration.limits.requestsPerMinute = 0
    // A restore waits until most nodes have the content.
    configuration.limits.handlerTimeout = .seconds(900)
    configuration.isTrusted = { _ in true }
    server = try HTTPServer(configuration: configuration, router: guarded)
  }

  func start() throws -> UInt16 { try server.start() }
  func stop() { server.stop() }

  private static func addRoutes(to router: inout Router, _ node: ClusterNode) {
    router.on(.get, pattern("/cluster/nodes")) { _, _ in
      let clock = Clock.system.now().milliseconds
      return .respond(json { StatusDocument.write(node.status, clock: clock, into: &$0) })
    }
    router.on(.get, pattern("/cluster/database")) { _, _ in
      .respond(content(CopySource(of: node.database.path)))
    }
    router.on(.get, pattern("/cluster/staged/{tag}")) { request, _ in
      guard let tag = request.parameter("tag").flatMap({ UInt64($0, radix: 16) }) else {
        return .respond(.text("The tag is no hexadecimal number.\n", .badRequest))
      }
      let path = StagedFile.path(of: node.database.path, tag: tag)
      guard let file = FileSource(path, isTemporary: false) else {
        return .respond(.text("There is no such file.\n", .notFound))
      }
      return .respond(content(file))
    }
    router.on(.get, pattern("/cluster/check")) { request, _ in
      guard let entry = parameter("entry", request).flatMap({ Int64($0) }) else {
        return .respond(.text("The parameter entry is missing.\n", .badRequest))
      }
      let document = ContentDocument(
        seq: node.database.seq, check: node.database.contentCheck(at: entry))
      return .respond(json { document.write(into: &$0) })
    }
    router.on(.post, pattern("/cluster/transfer")) { request, _ in
      perform(.transfer(to: id(request)), node)
    }
    router.on(.post, pattern("/cluster/remove")) { request, _ in
      guard let id = id(request) else {
        return .respond(.text("The parameter id is missing.\n", .badRequest))
      }
      return perform(.remove(id), node)
    }
  }

  static func pattern(_ pattern: String) -> PathPattern {
    do { return try PathPattern(pattern) } catch { fatalError("\(pattern): \(error)") }
  }

  private static func id(_ request: Request) -> UInt64? {
    parameter("id", request).flatMap { UInt64($0) }
  }

  /// The value of a query parameter.
  static func parameter(_ name: String, _ request: Request) -> String? {
    request.queryItems.first { $0.name == name }.map { String($0.value) }
  }

  private static func content(_ source: any BodySource) -> Response {
    Response(.ok, Fields(["Content-Type": "application/vnd.sqlite3"]), body: .source(source))
  }

  private static func json(_ write: (inout JSONObjectWriter) -> Void) -> Response {
    let buffer = ByteBuffer(capacity: 1024)
    JSONWriter.object(into: buffer) { write(&$0) }
    return Response(
      .ok, Fields(["Content-Type": "application/json"]), body: .shared(buffer.share()))
  }

  private static func perform(_ request: ClusterRequest, _ node: ClusterNode) -> Outcome {
    .later { responder in
      guard responder.commit() else { return }
      node.perform(request) { result in
        switch result {
        case .success: responder.respond(Response(.noContent))
        case .failure(.deposed):
          responder.respond(.text("This node is not the primary.\n", .misdirectedRequest))
        case .failure(let error): responder.respond(.text("\(error)\n", .conflict))
        }
      }
    }
  }
}
