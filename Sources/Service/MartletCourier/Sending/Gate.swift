import CMartletCurl
import Glibc

/// Decides about each connection of one request, at the moment in which it would be made.
final class Gate {
  private let rules: OutgoingRules
  private let host: String?
  private let obstacle: String?
  /// Why connections were refused, each reason once.
  private(set) var refusals: [String] = []
  /// Whether any connection was allowed.
  private(set) var wasOpened = false

  /// The failure if no connection was allowed.
  var refusal: CourierResult.Failure? {
    guard !wasOpened, !refusals.isEmpty else { return nil }
    return .init(.refused, "the URL is not allowed: \(refusals.joined(separator: "; "))")
  }

  init(
    _ rules: OutgoingRules, _ destination: Destination, for use: OutgoingRules.Use = .request
  ) {
    self.rules = rules
    obstacle = use.obstacle(destination)
    host = if case .name(let name) = destination.host { name } else { nil }
  }

  func allows(_ address: IPAddress, port: UInt16) -> Bool {
    let refusal = rules.refusal(
      of: address, port: port, host: host, unless: obstacle, isOwn: Gate.isOwn)
    guard let refusal else {
      wasOpened = true
      return true
    }
    if !refusals.contains(refusal) { refusals.append(refusal) }
    return false
  }

  /// Whether the address is one of this machine's: then a socket can be bound to it.
  ///
  /// A list of the interfaces would need netlink, which the systemd unit does not allow. An address
  /// for which this cannot be found out counts as the machine's.
  private static func isOwn(_ address: IPAddress) -> Bool {
    let family = address.isIPv4 ? AF_INET : AF_INET6
    let descriptor = socket(
      family, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    // The layouts of sockaddr_in and sockaddr_in6, with port 0.
    let port = [UInt8](repeating: 0, count: address.isIPv4 ? 2 : 6)
    let rest = [UInt8](repeating: 0, count: address.isIPv4 ? 8 : 4)
    let name = withUnsafeBytes(of: sa_family_t(family)) { Array($0) } + port + address.bytes + rest
    let code = name.withUnsafeBytes { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { rebound in
        bind(descriptor, rebound.baseAddress, socklen_t(bytes.count)) == 0 ? 0 : errno
      }
    }
    return code != EADDRNOTAVAIL
  }
}

/// libcurl and libcrypto, loaded into this process.
enum Libraries {
  /// Why they cannot be used. The text names the Debian package.
  struct Missing: Error {
    let description: String
  }

  /// Loads both. The first call must be made before other threads start, because libcurl's
  /// initialization requires it (https://curl.se/libcurl/c/curl_global_init.html).
  static func load(curl: String, crypto: String) throws(Missing) {
    if let reason = ccurl_load(curl, crypto) { throw Missing(description: String(cString: reason)) }
  }

  /// HMAC-SHA256; `nil` if libcrypto fails.
  static func hmac(key: [UInt8], data: [UInt8]) -> [UInt8]? {
    var code = [UInt8](repeating: 0, count: 32)
    return ccrypto_hmac_sha256(key, key.count, data, data.count, &code) ? code : nil
  }
}
