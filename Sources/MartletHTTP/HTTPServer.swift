import Dispatch
import Glibc
import MartletJSON
import MartletTime
import Synchronization

/// An HTTP/1.1 server: event loops over non-blocking sockets, one for each core.
///
///     var router = Router()
///     router.on(.get, "/") { _, _ in .respond(Response(body: .text("OK"))) }
///     let server = HTTPServer(router: router)
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

  /// `onEvent` is called on the loops, for what ``Configuration/interests`` names; it must be
  /// quick. Throws where two routes have the same method and path.
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

  /// How many event loops there are or will be.
  public var loops: Int { configuration.loops > 0 ? configuration.loops : HTTPServer.usableCores }

  /// What `taskset` or a container's cpuset leaves of the machine.
  package static let usableCores = Epoll.usableCores()

  /// Open connections, and event streams among them.
  public var connections: Int { connectionCounter.connections }
  public var streams: Int { connectionCounter.streams }

  /// How many bytes of request bodies are held, and of answers that their clients have not taken
  /// (``Limits/bodyBytes``, ``Limits/waitingOutput``).
  public var bodyBytes: Int { budgets.bodies.count }
  public var waitingOutput: Int { budgets.output.count }

  /// How many connections are taken: ``Limits/connections``, from ``start()`` on no more than the
  /// process may have descriptors, less some for its files.
  public var mostConnections: Int { connectionCounter.mostConnections }

  /// Listens and begins to serve; returns the port. Raises the process's soft limit of descriptors to
  /// the hard one.
  ///
  /// Throws when the port is taken, the host has no address, or the system has no descriptors left.
  public func start() throws(SystemError) -> UInt16 {
    let wasStarted = state.withLock { state in
      defer { state.isStarted = true }
      return state.isStarted
    }
    guard !wasStarted else { throw SystemError("start", EALREADY) }
    // A peer that is gone is seen by the write that fails.
    signal(SIGPIPE, SIG_IGN)
    connectionCounter.limit(connections: DescriptorLimit.connections(of: DescriptorLimit.raise()))
    let (port, sockets) = try bind()
    var loops: [EventLoop] = []
    do throws(SystemError) {
      for (index, listeners) in sockets.enumerated() {
        loops.append(try makeLoop(index, listeners))
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

  /// `@unchecked Sendable`: the loop is made on one thread, which lets go of it, and from then on
  /// used only on its queue.
  private struct Handover: @unchecked Sendable {
    let loop: EventLoop
  }

  /// Binds the host and port of a server, and closes the sockets again. Gives the port; throws what
  /// ``start()`` would throw for them.
  public static func tryAddress(host: String, port: UInt16) throws(SystemError) -> UInt16 {
    try usableAddresses(host: host, port: port).port
  }

  /// The addresses of a host on which a server can listen, and the port. Each is bound once without
  /// sharing: with `SO_REUSEPORT` alone a second server on the same port would go unnoticed.
  private static func usableAddresses(
    host: String, port: UInt16
  ) throws(SystemError) -> (port: UInt16, [SocketAddress]) {
    let addresses = try SocketAddress.resolve(host, port: port)
    var port = port
    var usable: [SocketAddress] = []
    for address in addresses {
      do throws(SystemError) {
        let probe = try Listener(address.with(port: port), shared: false)
        defer { probe.close() }
        if port == 0 { port = try probe.boundPort() }
        usable.append(address.with(port: port))
      } catch {
        // A name may have an IPv6 address on a machine without IPv6.
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

  /// The listening sockets of each loop. A port that the kernel chose may be taken by another program before all
  /// of them have it: then it chooses anew.
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
            try Listener(address, shared: true, limits: configuration.limits))
        }
      }
    } catch {
      for listener in sockets.joined() { listener.close() }
      throw error
    }
    return (port, sockets)
  }

  // MARK: From any thread

  /// Calls `body` soon on each loop that has not ended, with the loop's index.
  public func onEachLoop(_ body: @escaping @Sendable (Int) -> Void) {
    post(.run(body))
  }

  /// Ends gracefully: nobody new is accepted, idle connections close, requests are finished with
  /// `Connection: close`, streams say goodbye. What is left after `patience` is cut.
  /// `completion` is called on a thread of Dispatch when all loops have ended.
  public func drain(
    within patience: Duration = .seconds(10), completion: @escaping @Sendable () -> Void
  ) {
    let now = Int64(clamping: configuration.clock.monotonic() / 1_000_000)
    post(.drain(deadline: now + Int64(patience.wholeMilliseconds)))
    ended.notify(queue: .global(), execute: completion)
  }

  /// Cuts everything at once. Returns when all loops have ended; not to be called on one of them.
  public func stop() {
    post(.stop)
    ended.wait()
  }

  private func post(_ message: Mailbox.Message) {
    for mailbox in state.withLock({ $0.mailboxes }) { mailbox.post(message) }
  }
}
