import MartletTime

extension HTTPServer {
  /// How a server is set up.
  public struct Configuration: Sendable {
    /// An address (`0.0.0.0`, `::1`) or a name; all addresses of a name are listened on. Empty:
    /// every address of the machine, IPv4 and IPv6.
    public var host = "localhost"
    /// 0 lets the system choose; ``HTTPServer/start()`` returns which.
    public var port: UInt16 = 0
    /// How many event loops; 0 means one for each core.
    public var loops = 0
    public var limits = Limits()
    /// The names that requests may ask for, without ports; others are 421. `nil`: any.
    public var allowedHosts: [String]?
    /// Asked for a request with another name than those: whether it may ask for that one. On the loop, so it
    /// must be quick. `nil`: it may not.
    public var allowsOtherHosts: (@Sendable () -> Bool)?
    /// Whether the limits for each address hold for a peer. Always the same answer for the same
    /// address. A proxy, which many clients come through, should not be counted; loopback is not.
    public var isCounted: @Sendable (Peer) -> Bool = { !$0.isLoopback }
    /// Proxies whose `X-Forwarded-For` and `X-Forwarded-Host` are believed. Always the same answer for the
    /// same address.
    public var isTrusted: @Sendable (Peer) -> Bool = { _ in false }
    /// Lines that every answer has, the server's own errors too.
    public var fields = Fields.none
    /// Further lines of the answer to a request, whoever gives it; on the loop, so it must be quick.
    public var answerFields: (@Sendable (Request) -> Fields)?
    /// A sentence for the server's own errors of a kind, behind their `detail`: which setting an operator may turn.
    public var hints: [ProblemType: String] = [:]
    /// What the observer wants to hear of.
    public var interests: ServerEvent.Interests = []
    public var clock = MartletTime.Clock.system

    public init() {}

    /// Whether ``host`` is reached from this machine alone.
    public var isLoopback: Bool { Configuration.isLoopback(host) }

    /// Whether a name or an address is this machine's own.
    public static func isLoopback(_ host: String) -> Bool {
      let isFour = host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (48...57).contains($0) }
      return host == "localhost" || host == "::1" || host == "[::1]"
        || (host.hasPrefix("127.") && isFour)
    }
  }
}
