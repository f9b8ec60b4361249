/// Where a URL leads, as far as it can be known without a network.
///
/// The grammar is narrower than that of URLs, so that no two parsers can disagree about the host:
/// printable ASCII, a host of letters, digits, `-`, `_` and `.` or an IPv6 address in brackets, and
/// no user, no fragment and no backslash.
struct Destination: Hashable {
  enum Host: Hashable {
    /// In lower case, without a dot at its end.
    case name(String)
    case address(IPAddress)
  }

  /// Why a URL is no destination. The text completes a sentence that begins with the URL's name.
  struct Problem: Error, CustomStringConvertible {
    let description: String
  }

  enum Scheme: String {
    case http, https, smtp, smtps

    /// The port of a URL without one. A mail is submitted (RFC 6409 section 3.1), and not relayed.
    var usualPort: UInt16 {
      switch self {
      case .http: 80
      case .https: 443
      case .smtp: 587
      case .smtps: 465
      }
    }
  }

  static let longestURL = 4096

  let scheme: Scheme
  let host: Host
  let port: UInt16

  /// - Parameter schemes: The allowed schemes.
  init(_ url: String, _ schemes: [Scheme] = [.http, .https]) throws(Problem) {
    let text = Array(url.utf8)
    guard text.count <= Destination.longestURL else {
      throw Problem(description: "must have at most \(Destination.longestURL) bytes")
    }
    let lower = Array(url.lowercased().utf8)
    let scheme = schemes.first { lower.starts(with: "\($0.rawValue)://".utf8) }
    guard let scheme else {
      let names = schemes.map { "\($0.rawValue)://" }.joined(separator: " or ")
      throw Problem(description: "must begin with \(names)")
    }
    let isASCII = text.allSatisfy {
      (0x21...0x7e).contains($0) && !#"\"<>^`{|}#"#.utf8.contains($0)
    }
    guard isASCII else {
      throw Problem(
        description: """
          must have only ASCII characters, without spaces, quotes, backslashes and a fragment; \
          write other characters with %, and international names with xn--
          """)
    }
    let rest = lower.dropFirst(scheme.rawValue.utf8.count + 3)
    let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    let isOfMail = scheme == .smtp || scheme == .smtps
    guard !isOfMail || rest.count == authority.count else {
      throw Problem(description: "must end behind the host or the port")
    }
    guard !authority.contains(UInt8(ascii: "@")) else {
      throw Problem(description: "must not contain a user or a password")
    }
    let (host, port) = try Destination.parts(String(decoding: authority, as: UTF8.self))
    (self.scheme, self.host) = (scheme, host)
    if let port {
      let isPlain = port.utf8.count <= 5 && port.utf8.allSatisfy(Destination.isDigit)
      guard isPlain, let number = UInt16(port), number > 0 else {
        throw Problem(description: "must have a port from 1 to 65535, not \"\(port)\"")
      }
      self.port = number
    } else {
      self.port = scheme.usualPort
    }
  }

  /// The origin (RFC 6454 section 6.2): scheme and host, and the port if it is not the scheme's.
  var origin: String {
    "\(scheme.rawValue)://" + hostText + (port == scheme.usualPort ? "" : ":\(port)")
  }

  /// The host as it stands in a URL.
  var hostText: String {
    switch host {
    case .name(let name): name
    case .address(let address): address.isIPv4 ? "\(address)" : "[\(address)]"
    }
  }

  private static func parts(_ authority: String) throws(Problem) -> (Host, port: String?) {
    if authority.hasPrefix("[") {
      let pieces = authority.utf8.dropFirst().split(
        separator: UInt8(ascii: "]"), maxSplits: 1, omittingEmptySubsequences: false
      ).map { String(Substring($0)) }
      guard pieces.count == 2, pieces[0].utf8.contains(UInt8(ascii: ":")),
        let address = IPAddress(pieces[0]), pieces[1].isEmpty || pieces[1].hasPrefix(":")
      else { throw Problem(description: "must have a valid IPv6 address in the brackets") }
      return (.address(address), pieces[1].isEmpty ? nil : String(pieces[1].dropFirst()))
    }
    let pieces = authority.utf8.split(
      separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false
    ).map { String(Substring($0)) }
    return (try host(pieces[0]), pieces.count == 2 ? pieces[1] : nil)
  }

  /// The host in lower case: a name, or an IPv4 address in any notation.
  static func host(_ text: String) throws(Problem) -> Host {
    let name = text.hasSuffix(".") ? String(text.dropLast()) : text
    let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let letters = "abcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    guard name.utf8.count <= 253,
      labels.allSatisfy({
        (1...63).contains($0.count) && $0.allSatisfy { letters.contains($0) }
      }), let last = labels.last
    else { throw Problem(description: "must have a host name or an address") }
    // A name whose last label is a number is always meant as an address
    // (https://url.spec.whatwg.org/#ends-in-a-number-checker).
    let isNumber = last.first.map(isDigit) ?? false
    guard isNumber, Substring(last).hasPrefix("0x") || last.allSatisfy(isDigit) else {
      return .name(name)
    }
    guard let address = IPAddress(number: name) else {
      throw Problem(description: "must have a valid address, not \"\(text)\"")
    }
    return .address(address)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
