import Dispatch
import Glibc
import MartletJSON
import MartletTime
import Synchronization

/// An HTTP/1.1 server with one event loop per core, on non-blocking sockets.
///
///     var router = Router()
///     router.on(.get, "/") { _, _ in .respond(Response(body: .text("OK"))) }
///     let server = try HTTPServer(router: router)
///     let port = try server.start()
public final class HTTPServer: Sendable {
  private struct State {
    var mailboxes: [Mailbox] = []
    var isStarted = false
  }

  private let configuration: Configuration
  private let routes: RouteTree
  private let observer: @Sendable (ServerEvent) -> Void
  private let connectionCounter: ConnectionCounter
  private let rates: RateLimiter<Peer>?
  private let budgets: Budgets
  private let acceptor = Acceptor()
  private let state = Mutex(State())
  private let ended = DispatchGroup()

  /// Makes a server that is not listening yet.
  ///
  /// ``start()`` binds the port. The server calls `onEvent` on its event loops for the kinds of
  /// events in ``Configuration/interests``; it must return quickly. Throws ``RouteError`` if two
  /// routes have the same method and path.
  public init(
    configuration: Configuration = Configuration(), router: Router,
    onEvent: @escaping @Sendable (ServerEvent) -> Void = { _ in }
  ) throws(RouteError) {
    self.configuration = configuration
    routes = try RouteTree(router)
    observer = onEvent
    connectionCounter = ConnectionCounter(
      limits: configuration.limits, isCounted: configuration.isCounted)
    budgets = Budgets(configuration.limits, largestBody: routes.largestBody)
    rates = RateLimiter(
      perMinute: configuration.limits.requestsPerMinute, burst: configuration.limits.requestBurst)
  }

  /// The number of event loops.
  public var loops: Int { configuration.loops > 0 ? configuration.loops : HTTPServer.usableCores }

  /// The number of cores that this process may use, after `taskset` or a container's cpuset.
  package static let usableCores = Epoll.usableCores()

  /// The number of open connections, event streams included.
  public var connections: Int { connectionCounter.connections }
  /// The number of open event streams.
  public var streams: Int { connectionCounter.streams }

  /// The number of bytes of request bodies in memory, bounded by ``Limits/bodyBytes``.
  public var bodyBytes: Int { budgets.bodies.count }
  /// The number of bytes of responses that wait for slow clients, bounded by
  /// ``Limits/waitingOutput``.
  public var waitingOutput: Int { budgets.output.count }

  /// The maximum number of connections: ``Limits/connections``, lowered by ``start()`` to the
  /// number of file descriptors that the process may have, minus some for its files.
  public var mostConnections: Int { connectionCounter.mostConnections }

  /// Binds the configured host and port, starts the event loops, and returns the port.
  ///
  /// Raises the process's soft limit of file descriptors to the hard limit. Throws ``SystemError``
  /// if the port is in use, the host has no address, the system has no descriptors left, or the
  /// server was started before.
  public func start() throws(SystemError) -> UInt16 {
    let wasStarted = state.withLock { state in
      defer { state.isStarted = true }
      return state.isStarted
    }
    guard !wasStarted else { throw SystemError("start", EALREADY) }
    // A write to a closed connection then fails with EPIPE instead of ending the process.
    signal(SIGPIPE, SIG_IGN)
    connectionCounter.limit(connections: DescriptorLimit.connections(of: DescriptorLimit.raise()))
    let (port, sockets) = try bind()
    var loops: [EventLoop] = []
    do throws(SystemError) {
      for (index, listeners) in sockets.enumerated() {
        loops.append(try makeLoop(configuration.firstLoop + index, listeners))
      }
    } catch {
      for listener in sockets.joined() { listener.close() }
      throw error
    }
    state.withLock { $0.mailboxes = loops.map(\.mailbox) }
    for loop in loops {
      let handover = Handover(loop: loop)
      DispatchQueue(label: "http-loop-\(loop.index)").async(group: ended) { handover.loop.run() }
    }
    return port
  }

  private func makeLoop(_ index: Int, _ listeners: [Listener]) throws(SystemError) -> EventLoop {
    let shared = LoopState(
      limits: configuration.limits,
      allowedHosts: configuration.allowedHosts.map {
        AllowedHosts($0, allowsOthers: configuration.allowsOtherHosts)
      },
      commonFields: configuration.fields, isTrusted: configuration.isTrusted,
      budgets: budgets, hints: configuration.hints, clock: configuration.clock)
    return try EventLoop(
      index: index, listeners: listeners, state: shared, routes: routes,
      connectionCounter: connectionCounter,
      rates: rates, answerFields: configuration.answerFields, acceptor: acceptor,
      mailbox: try Mailbox(), interests: configuration.interests,
      observer: observer)
  }

  /// `@unchecked Sendable`: one thread makes the loop and then gives it up; after that only the
  /// loop's own queue uses it.
  private struct Handover: @unchecked Sendable {
    let loop: EventLoop
  }

  /// Checks that a server could listen on a host and port, and returns the port.
  ///
  /// Binds the addresses and closes the sockets again. Throws the same errors as ``start()``. Port
  /// 0 lets the kernel choose one.
  public static func tryAddress(host: String, port: UInt16) throws(SystemError) -> UInt16 {
    try usableAddresses(host: host, port: port).port
  }

  /// Returns the addresses of a host that a server can listen on, and the port.
  ///
  /// Binds each address once without sharing. With `SO_REUSEPORT` alone, a second server on the
  /// same port would go unnoticed.
  private static func usableAddresses(
    host: String, port: UInt16
  ) throws(SystemError) -> (port: UInt16, [SocketAddress]) {
    let addresses = try SocketAddress.resolve(host, port: port)
    var port = port
    var usable: [SocketAddress] = []
    for address in addresses {
      do throws(SystemError) {
        let probe = try Listener(
          address.with(port: port), shared: false, bothFamilies: isBoth(addresses))
        defer { probe.close() }
        if port == 0 { port = try probe.boundPort() }
        usable.append(address.with(port: port))
      } catch {
        // A name can have an IPv6 address on a machine without IPv6.
        guard error.code == EADDRNOTAVAIL || error.code == EAFNOSUPPORT, addresses.count > 1 else {
          throw error
        }
      }
    }
    guard !usable.isEmpty else {
      throw SystemError("bind", EADDRNOTAVAIL, saying: "\(host) has no usable address")
    }
    return (port, usable)
  }

  /// Returns the listening sockets of each loop.
  ///
  /// Another program can take a port chosen by the kernel before all sockets are bound to it; then
  /// this tries again with another port.
  private func bind() throws(SystemError) -> (UInt16, [[Listener]]) {
    for _ in 0..<(configuration.port == 0 ? 16 : 0) {
      do throws(SystemError) { return try bindOnce() } catch  where error.code == EADDRINUSE {}
    }
    return try bindOnce()
  }

  private func bindOnce() throws(SystemError) -> (UInt16, [[Listener]]) {
    let (port, usable) = try HTTPServer.usableAddresses(
      host: configuration.host, port: configuration.port)
    var sockets: [[Listener]] = []
    do throws(SystemError) {
      for _ in 0..<loops {
        sockets.append([])
        for address in usable {
          sockets[sockets.count - 1].append(
            try Listener(
              address, shared: true, bothFamilies: HTTPServer.isBoth(usable),
              limits: configuration.limits))
        }
      }
    } catch {
      for listener in sockets.joined() { listener.close() }
      throw error
    }
    return (port, sockets)
  }

  /// Whether the addresses are `::` alone, which means every address of the machine, as in most
  /// servers. Beside `0.0.0.0`, it is only for IPv6.
  private static func isBoth(_ addresses: [SocketAddress]) -> Bool {
    addresses.count == 1 && addresses[0].isWildcard6
  }

  // MARK: From any thread

  /// Schedules `body` on every running event loop. Its parameter is the loop's index.
  public func onEachLoop(_ body: @escaping @Sendable (Int) -> Void) {
    post(.run(body))
  }

  /// Shuts down gracefully.
  ///
  /// Stops accepting, closes idle connections, finishes running requests with `Connection: close`,
  /// and ends event streams with their `bye` event. After `timeout` the remaining connections are
  /// closed. Calls `completion` on a Dispatch thread when all loops have ended.
  public func drain(
    within timeout: Duration = .seconds(10), completion: @escaping @Sendable () -> Void
  ) {
    let now = Int64(clamping: configuration.clock.monotonic() / 1_000_000)
    post(.drain(deadline: now + Int64(timeout.wholeMilliseconds)))
    ended.notify(queue: .global(), execute: completion)
  }

  /// Closes all connections at once and returns when all loops have ended. Do not call it on an
  /// event loop.
  public func stop() {
    post(.stop)
    ended.wait()
  }

  private func post(_ message: Mailbox.Message) {
    for mailbox in state.withLock({ $0.mailboxes }) { mailbox.post(message) }
  }
}
