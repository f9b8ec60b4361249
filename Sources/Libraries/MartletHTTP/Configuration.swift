import MartletTime

extension HTTPServer {
  /// The settings of an ``HTTPServer``.
  public struct Configuration: Sendable {
    /// The address (`0.0.0.0`, `::1`) or host name to listen on.
    ///
    /// The server listens on all addresses of a name. `::` and an empty string mean every address
    /// of the machine, IPv4 and IPv6.
    public var host = "localhost"
    /// The port to listen on. With 0 the system chooses one, and ``HTTPServer/start()`` returns it.
    public var port: UInt16 = 0
    /// The number of event loops. 0 means one per usable core.
    public var loops = 0
    /// The index of the first event loop (``RequestContext/loop``): not 0 for a second server in a
    /// process, whose handlers use resources of the first one's loops.
    package var firstLoop = 0
    /// The limits on what clients can use.
    public var limits = Limits()
    /// The host names that requests can address, without ports. Other hosts get 421. `nil` allows
    /// any host.
    public var allowedHosts: [String]?
    /// Decides whether a request may address a host that is not in ``allowedHosts``.
    ///
    /// The event loop calls it for each such request, so it must return quickly. `nil` refuses
    /// other hosts.
    public var allowsOtherHosts: (@Sendable () -> Bool)?
    /// Whether the limits per client address apply to a peer. By default they apply to all but
    /// loopback.
    ///
    /// Must always return the same value for the same address. Exclude a proxy, because it forwards
    /// the requests of many clients.
    public var isCounted: @Sendable (Peer) -> Bool = { !$0.isLoopback }
    /// Whether a peer is a proxy whose `X-Forwarded-For` and `X-Forwarded-Host` are trusted. By
    /// default no peer is.
    ///
    /// Must always return the same value for the same address.
    public var isTrusted: @Sendable (Peer) -> Bool = { _ in false }
    /// Header fields that are added to every response, including the server's own errors.
    public var fields = Fields.none
    /// Returns further fields for the response to a request. They are added to the response to
    /// every request whose head is valid, whether it comes from a route or from the server.
    ///
    /// The event loop calls it for each request, so it must return quickly.
    public var answerFields: (@Sendable (Request) -> Fields)?
    /// Sentences that are appended to the `detail` of the server's own errors, by problem type.
    /// They name the setting that an operator can change.
    public var hints: [ProblemType: String] = [:]
    /// The kinds of events that the observer receives. Empty by default.
    public var interests: ServerEvent.Interests = []
    /// The clock for dates and timeouts. Tests replace it.
    public var clock = MartletTime.Clock.system

    /// Makes a configuration with the default values.
    public init() {}

    /// Whether ``host`` can only be reached from this machine.
    public var isLoopback: Bool { Configuration.isLoopback(host) }

    /// Whether a host name or an address is a loopback address.
    public static func isLoopback(_ host: String) -> Bool {
      let isFour = host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (48...57).contains($0) }
      return host == "localhost" || host == "::1" || host == "[::1]"
        || (host.hasPrefix("127.") && isFour)
    }
  }
}
