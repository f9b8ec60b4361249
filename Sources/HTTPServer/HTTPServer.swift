import Dispatch
import Glibc
import JSON
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
  private let observer: @Sendable (Occurrence) -> Void
  private let census: Census
  private let state = Mutex(State())
  private let ended = DispatchGroup()

  /// `observe` is called on the loops, for what ``Configuration/interests`` names; it must be quick.
  public init(
    configuration: Configuration = Configuration(), router: Router,
    observe: @escaping @Sendable (Occurrence) -> Void = { _ in }
  ) {
    self.configuration = configuration
    routes = RouteTree(router)
    observer = observe
    census = Census(limits: configuration.limits)
  }

  /// How many event loops there are or will be.
  public var loops: Int {
    configuration.loops > 0 ? configuration.loops : max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1)
  }

  /// Open connections, and event streams among them.
  public var connections: Int { census.connections }
  public var streams: Int { census.streams }

  /// Listens and begins to serve; returns the port.
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
    let (port, sockets) = try bind()
    var mailboxes: [Mailbox] = []
    do throws(SystemError) {
      for _ in sockets { mailboxes.append(try Mailbox()) }
    } catch {
      for listener in sockets.joined() { listener.close() }
      throw error
    }
    state.withLock { $0.mailboxes = mailboxes }
    for (index, listeners) in sockets.enumerated() {
      try launch(index, listeners, mailboxes[index])
    }
    return port
  }

  private func launch(
    _ index: Int, _ listeners: [Listener], _ mailbox: Mailbox
  ) throws(SystemError) {
    let loop = try EventLoop(
      index: index, listeners: listeners,
      state: LoopState(
        limits: configuration.limits,
        allowedHosts: configuration.allowedHosts.map(AllowedHosts.init),
        commonFields: configuration.fields, clock: configuration.clock),
      routes: routes, census: census, mailbox: mailbox, interests: configuration.interests,
      observer: observer)
    let box = Handover(loop)
    DispatchQueue(label: "http-loop-\(index)").async(group: ended) { box.loop.run() }
  }

  /// `@unchecked Sendable`: the loop is made by `launch`, which drops it, and then used on its queue.
  private struct Handover: @unchecked Sendable {
    let loop: EventLoop
    init(_ loop: EventLoop) { self.loop = loop }
  }

  /// The listening sockets of each loop. Each address is bound once without sharing first: with
  /// `SO_REUSEPORT` alone a second server on the same port would go unnoticed.
  private func bind() throws(SystemError) -> (UInt16, [[Listener]]) {
    let addresses = try SocketAddress.resolve(configuration.host, port: configuration.port)
    var port = configuration.port
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
      throw SystemError("bind", EADDRNOTAVAIL, saying: "\(configuration.host) has no usable address")
    }
    var sockets: [[Listener]] = []
    do throws(SystemError) {
      for _ in 0..<loops {
        sockets.append([])
        for address in usable {
          sockets[sockets.count - 1].append(try Listener(address, shared: true))
        }
      }
    } catch {
      for listener in sockets.joined() { listener.close() }
      throw error
    }
    return (port, sockets)
  }

  // MARK: From any thread

  /// Calls `body` soon on each loop, with the loop's index.
  public func onEachLoop(_ body: @escaping @Sendable (Int) -> Void) {
    post(.run(body))
  }

  /// Ends gracefully: nobody new is accepted, idle connections close, requests are finished with
  /// `Connection: close`, streams say goodbye. What is left after `seconds` is cut. `completion` is
  /// called on a thread of Dispatch when all loops have ended.
  public func drain(seconds: Int = 10, completion: @escaping @Sendable () -> Void) {
    let now = Int64(clamping: configuration.clock.monotonic() / 1_000_000)
    post(.drain(deadline: now + Int64(seconds) * 1000))
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
