/// A destination that the operator allows although strangers must not choose it: an address, a
/// network or a host name.
public enum AllowedDestination: Hashable, Sendable, CustomStringConvertible {
  /// All addresses of a network; a single address is a network of its own.
  case network(IPNetwork)
  /// A host name, in lower case, whatever its addresses are.
  case host(String)

  /// Reads `192.168.1.20`, `192.168.1.0/24`, `fd12::/16` or `nas.example`. Returns `nil` for
  /// anything else.
  public init?(_ text: String) {
    let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
    if let network = IPNetwork(isBracketed ? String(text.dropFirst().dropLast()) : text) {
      self = .network(network)
    } else if case .name(let name)? = try? Destination.host(text.lowercased()) {
      self = .host(name)
    } else {
      return nil
    }
  }

  /// The accepted forms, for error messages: "must be …".
  public static let expected =
    "an address, a network such as 192.168.1.0/24, or a host name"

  public var description: String {
    switch self {
    case .network(let network): "\(network)"
    case .host(let name): name
    }
  }
}
