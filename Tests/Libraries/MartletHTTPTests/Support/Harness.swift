import Dispatch
import MartletTime
import Synchronization

@testable import MartletHTTP

/// A running server on its own port. It stops when the object is released.
final class Harness {
  let server: HTTPServer
  let port: UInt16
  let events: Recorder

  final class Recorder: Sendable {
    private let all = Mutex<[ServerEvent]>([])
    func add(_ event: ServerEvent) { all.withLock { $0.append(event) } }
    var list: [ServerEvent] { all.withLock { $0 } }
  }

  init(
    loops: Int = 2, clock: TestClock? = nil,
    configure: (inout HTTPServer.Configuration) -> Void = { _ in },
    routes: (inout Router) -> Void
  ) throws {
    var configuration = HTTPServer.Configuration()
    configuration.host = "127.0.0.1"
    configuration.loops = loops
    if let clock { configuration.clock = clock.clock }
    configure(&configuration)
    var router = Router()
    routes(&router)
    let recorder = Recorder()
    events = recorder
    server = try HTTPServer(configuration: configuration, router: router) { recorder.add($0) }
    port = try server.start()
  }

  deinit { server.stop() }

  func client(receiveBuffer: Int32? = nil) throws -> RawClient {
    try RawClient(port, receiveBuffer: receiveBuffer)
  }

  /// Returns when each loop has finished what it was doing at the time of the call.
  func settle() {
    let group = DispatchGroup()
    for _ in 0..<server.loops { group.enter() }
    server.onEachLoop { _ in group.leave() }
    group.wait()
  }
}

extension Router {
  /// Adds `/`, which answers OK, `/echo`, which returns the body, and `/size/{n}`, which returns n
  /// bytes.
  mutating func addBasics() {
    on(.get, "/") { _, context in
      context.scratch.append("OK")
      return .respond(Response(body: .scratch))
    }
    on(.post, "/echo") { request, _ in .respond(Response(body: .shared(request.body))) }
    on(.get, "/size/{n}") { request, _ in
      let count = Int(request.integer("n") ?? 0)
      return .respond(Response(body: .bytes([UInt8](repeating: 0x78, count: count))))
    }
  }
}
