import MartletHTTP
import MartletJSON
import Synchronization

/// A report whose lines are produced while it is sent.
final class Report: BodySource {
  private let count: Int
  private let next = Mutex(1)

  init(count: Int) { self.count = count }

  func start(_ wake: @escaping @Sendable () -> Void) {}

  func read(upTo most: Int, into buffer: ByteBuffer) -> BodyProgress {
    next.withLock { line in
      guard line <= count else { return .end }
      buffer.append(utf8: "line \(line)\n")
      line += 1
      return .more
    }
  }

  func stop() {}
}

/// A number that event streams follow.
final class Counter: Sendable {
  private let broadcast = Broadcast()
  private let value = Mutex(0)

  var newest: Int { value.withLock { $0 } }

  func advance() {
    value.withLock { $0 += 1 }
    broadcast.wake()
  }

  func stream() -> StreamResponse {
    StreamResponse(bye: { _ in Event.retry(.seconds(1)) }) { stream in
      self.broadcast.join(stream)
      return Position(of: self)
    }
  }
}

/// How far one stream has followed a counter.
final class Position: EventSource {
  private let counter: Counter
  private var sent = 0

  init(of counter: Counter) { self.counter = counter }

  func next() -> EventStream.Next {
    let newest = counter.newest
    guard sent < newest else { return .wait }
    sent = newest
    return .send(Event.frame(id: String(newest), event: "count", data: String(newest)))
  }
}

/// A server with a route, a streamed response, and an event stream.
func makeServer(port: UInt16) throws -> HTTPServer {
  var configuration = HTTPServer.Configuration()
  configuration.host = "127.0.0.1"
  configuration.port = port

  let plain = Fields(["Content-Type": "text/plain; charset=utf-8"])
  let counter = Counter()
  var router = Router()
  router.on(.get, "/hello/{name}") { request, _ in
    .respond(Response(.ok, plain, body: .text("Hello, \(request.parameter("name") ?? "")!\n")))
  }
  router.on(.get, "/report") { _, _ in
    .respond(Response(.ok, plain, body: .source(Report(count: 1_000))))
  }
  router.on(.get, "/count") { _, _ in .stream(counter.stream()) }
  router.on(.post, "/count") { _, _ in
    counter.advance()
    return .respond(Response(.noContent))
  }
  return try HTTPServer(configuration: configuration, router: router)
}
