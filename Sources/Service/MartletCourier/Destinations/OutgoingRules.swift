/// Where requests may go.
///
/// Users choose the URLs, and the server may stand in a network that they cannot reach. So requests
/// go to hosts of the internet, to what the operator allows, and never to the server itself or to
/// the metadata service of a cloud. The decision is about the address of a connection: a name can
/// get another address at any time.
public struct OutgoingRules: Hashable, Sendable {
  /// The destinations that the operator allows in addition: the values of `--outgoing-to`.
  public var allowed: [AllowedDestination]
  /// The port on which this server listens.
  public var ownPort: UInt16?
  /// The hosts that browsers may name for Web Push; empty: any. The names are checked before a
  /// request is given to the courier's process, which does not know them.
  public var pushHosts: [PushHost] = []

  /// Makes rules. By default only hosts of the internet are allowed.
  public init(allowed: [AllowedDestination] = [], ownPort: UInt16? = nil) {
    self.allowed = allowed
    self.ownPort = ownPort
  }

  /// Why no request can go to a URL.
  public struct Problem: Equatable, Sendable {
    /// Whether the URL is valid, but the rules refuse it.
    public let isRefusal: Bool
    /// The reason, for the user that has entered the URL: `must have a host`.
    public let detail: String

    /// A sentence about the URL.
    var text: String { isRefusal ? "the URL is not allowed: \(detail)" : "the URL \(detail)" }
  }

  /// Why no request can go to a URL, as far as that is known without a network; `nil` if one may.
  public func problem(with url: String) -> Problem? { problem(with: url, for: .request) }

  /// The use of a URL.
  enum Use: Equatable {
    case request, push
    case mail(MailEnvelope.Security)

    var schemes: [Destination.Scheme] {
      switch self {
      case .request, .push: [.http, .https]
      case .mail(.tls): [.smtps]
      case .mail: [.smtp]
      }
    }

    /// Why the operator must allow a destination, also if it is a host of the internet; `nil` if
    /// there is no need.
    ///
    /// Every key can choose the endpoint of a push, and not only those of administrators; push
    /// services have `https` and port 443. A password is not sent in clear, and mail that is
    /// relayed to any host, on port 25, is for mail servers.
    func obstacle(_ destination: Destination) -> String? {
      switch self {
      case .request: nil
      case .push where destination.scheme != .https || destination.port != 443:
        "is not reached with https on port 443"
      case .mail(.none): "is reached without encryption"
      case .mail where destination.port == 25: "is reached on port 25"
      default: nil
      }
    }
  }

  /// The same for a mail server: `smtps` with TLS, else `smtp`. The operator must allow it if the
  /// connection is not encrypted, or if the port is 25.
  public func problem(
    withMailServer url: String, _ security: MailEnvelope.Security
  ) -> Problem? {
    problem(with: url, for: .mail(security))
  }

  /// The longest endpoint of a push subscription in bytes.
  static let longestEndpoint = 1000

  /// The same for the endpoint of a push subscription: at most 1,000 bytes, and `https` on port 443
  /// unless the operator allows the destination.
  public func problem(withEndpoint url: String) -> Problem? { problem(with: url, for: .push) }

  func problem(with url: String, for use: Use) -> Problem? {
    if use == .push, url.utf8.count > OutgoingRules.longestEndpoint {
      return Problem(
        isRefusal: false, detail: "must have at most \(OutgoingRules.longestEndpoint) bytes")
    }
    let destination: Destination
    do {
      destination = try Destination(url, use.schemes)
    } catch {
      return Problem(isRefusal: false, detail: "\(error)")
    }
    if use == .push, !pushHosts.isEmpty,
      !pushHosts.contains(where: { $0.matches(destination.host) })
    {
      return Problem(
        isRefusal: true,
        detail: "\(destination.hostText) is not a push service that the operator allows")
    }
    let obstacle = use.obstacle(destination)
    switch destination.host {
    case .address(let address):
      return refusal(
        of: address, port: destination.port, host: nil, unless: obstacle,
        isOwn: { _ in false }
      ).map { Problem(isRefusal: true, detail: $0) }
    case .name(let name):
      guard OutgoingRules.isLocal(name) else {
        // Any other name may have an address of an allowed network.
        guard let obstacle, allowed.isEmpty else { return nil }
        return Problem(
          isRefusal: true, detail: OutgoingRules.advice(name, obstacle, name))
      }
      // Every one of its addresses must be refused: a connection to the other one may succeed.
      let refusals = OutgoingRules.loopback.map {
        refusal(
          of: $0, port: destination.port, host: name, unless: obstacle,
          isOwn: { _ in false })
      }
      guard let refusal = refusals.first, let refusal, refusals.allSatisfy({ $0 != nil }) else {
        return nil
      }
      return Problem(isRefusal: true, detail: refusal)
    }
  }

  private static let loopback = ["127.0.0.1", "::1"].compactMap { IPAddress($0) }

  /// Names that mean this machine (RFC 6761 section 6.3, and Debian's `/etc/hosts`).
  private static func isLocal(_ name: String) -> Bool {
    ["localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback"].contains(name)
      || name.hasSuffix(".localhost")
  }

  private static func advice(_ subject: String, _ reason: String, _ value: String) -> String {
    "\(subject) \(reason); the operator can allow it with --outgoing-to \(value)"
  }

  /// Why a connection is refused; `nil` if it is allowed.
  ///
  /// - Parameters:
  ///   - address: The address that would be connected to.
  ///   - host: The host name in the URL, in lower case; `nil` if the URL has an address.
  ///   - obstacle: Why the operator must have allowed it, also if it is a host of the internet.
  ///   - isOwn: Whether the address is one of this machine's; called only for the server's port.
  func refusal(
    of address: IPAddress, port: UInt16, host: String?, unless obstacle: String? = nil,
    isOwn: (IPAddress) -> Bool
  ) -> String? {
    let subject = host.map { "\($0) (\(address))" } ?? "\(address)"
    let kind = AddressKind(address)
    if kind == .metadata { return "\(subject) is the metadata service of a cloud" }
    if port == ownPort, OutgoingRules.isOwn(address) || isOwn(address) {
      return "\(subject), port \(port), is this server itself"
    }
    if allows(address, host) { return nil }
    guard case .special(let name) = kind else {
      return obstacle.map { OutgoingRules.advice(subject, $0, "\(address)") }
    }
    return OutgoingRules.advice(subject, "is \(name)", "\(address)")
  }

  /// Whether the address always means this machine, as on every machine.
  private static func isOwn(_ address: IPAddress) -> Bool {
    own.contains { $0.contains(address) }
  }

  private static let own = ["0.0.0.0/8", "127.0.0.0/8", "::/127"].compactMap { IPNetwork($0) }

  private func allows(_ address: IPAddress, _ host: String?) -> Bool {
    allowed.contains { one in
      switch one {
      case .network(let network): network.contains(address)
      case .host(let name): name == host
      }
    }
  }
}
