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
  public func problem(with url: String) -> Problem? { problem(with: url, isPush: false) }

  /// The longest endpoint of a push subscription in bytes.
  static let longestEndpoint = 1000

  /// The same for the endpoint of a push subscription: at most 1,000 bytes, and `https` on port 443
  /// unless the operator allows the destination.
  public func problem(withEndpoint url: String) -> Problem? {
    guard url.utf8.count <= OutgoingRules.longestEndpoint else {
      return Problem(
        isRefusal: false, detail: "must have at most \(OutgoingRules.longestEndpoint) bytes")
    }
    return problem(with: url, isPush: true)
  }

  private func problem(with url: String, isPush: Bool) -> Problem? {
    let destination: Destination
    do {
      destination = try Destination(url)
    } catch {
      return Problem(isRefusal: false, detail: "\(error)")
    }
    let needsPermission = isPush && OutgoingRules.needsPermission(destination)
    switch destination.host {
    case .address(let address):
      return refusal(
        of: address, port: destination.port, host: nil, needsPermission: needsPermission,
        isOwn: { _ in false }
      ).map { Problem(isRefusal: true, detail: $0) }
    case .name(let name):
      guard OutgoingRules.isLocal(name) else {
        // Any other name may have an address of an allowed network.
        return needsPermission && allowed.isEmpty
          ? Problem(isRefusal: true, detail: OutgoingRules.unusual(name, advice: name)) : nil
      }
      // Every one of its addresses must be refused: a connection to the other one may succeed.
      let refusals = OutgoingRules.loopback.map {
        refusal(
          of: $0, port: destination.port, host: name, needsPermission: needsPermission,
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

  /// Whether pushes need the operator's permission to go there. Every key can choose an endpoint,
  /// and not only those of administrators; push services have `https` and port 443.
  static func needsPermission(_ destination: Destination) -> Bool {
    !destination.isEncrypted || destination.port != 443
  }

  private static func unusual(_ subject: String, advice: String) -> String {
    """
    \(subject) is not reached with https on port 443; the operator can allow it with \
    --outgoing-to \(advice)
    """
  }

  /// Why a connection is refused; `nil` if it is allowed.
  ///
  /// - Parameters:
  ///   - address: The address that would be connected to.
  ///   - host: The host name in the URL, in lower case; `nil` if the URL has an address.
  ///   - needsPermission: Whether the operator must have allowed it, also if it is a host of the
  ///     internet.
  ///   - isOwn: Whether the address is one of this machine's; called only for the server's port.
  func refusal(
    of address: IPAddress, port: UInt16, host: String?, needsPermission: Bool = false,
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
      return needsPermission ? OutgoingRules.unusual(subject, advice: "\(address)") : nil
    }
    return "\(subject) is \(name); the operator can allow it with --outgoing-to \(address)"
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
