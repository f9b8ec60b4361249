/// The host names that a server accepts. Through DNS rebinding a foreign web page can reach this
/// machine, but its requests carry the page's own host name and get 421.
struct AllowedHosts: Sendable {
  private let names: [[UInt8]]
  private let allowsOthers: @Sendable () -> Bool

  /// Makes a list of names without ports. IPv6 addresses are in brackets.
  init(_ names: [String]) { self.init(names, allowsOthers: nil) }

  /// Makes a list of names. `allowsOthers` decides about every other name.
  init(_ names: [String], allowsOthers: (@Sendable () -> Bool)?) {
    self.names = names.map { $0.utf8.map(Grammar.lowercase) }
    self.allowsOthers = allowsOthers ?? { false }
  }

  func contains(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    names.contains { $0.withUnsafeBufferPointer { $0.equalsIgnoringCase(name) } }
      || allowsOthers()
  }
}

/// Parses `Host = uri-host [ ":" port ]` (RFC 9110 section 7.2).
enum HostName {
  /// The host without its port. `nil` if `value` is not a valid Host; an empty host or user
  /// information is not valid.
  static func part(of value: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    guard value.count > 0 else { return nil }
    var end = 0
    if value[0] == UInt8(ascii: "[") {
      guard let bracket = value.firstIndex(of: UInt8(ascii: "]")),
        isIPv6(value[slice: 1, bracket])
      else { return nil }
      end = bracket + 1
    } else {
      while end < value.count, Grammar.isRegisteredName(value[end]) { end += 1 }
      guard end > 0 else { return nil }
    }
    guard end == value.count || isPort(value[slice: end, value.count]) else { return nil }
    return value[slice: 0, end]
  }

  /// Parses `":" *DIGIT`, at most 65535.
  private static func isPort(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes[0] == UInt8(ascii: ":"), bytes.count <= 6 else { return false }
    var port = 0
    for byte in bytes.dropFirst() {
      guard Grammar.isDigit(byte) else { return false }
      port = port * 10 + Int(byte &- 0x30)
    }
    return port <= 65_535
  }

  /// Whether the characters are those of `IPv6address` with at least two colons. The exact form
  /// does not matter.
  private static func isIPv6(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count <= 45 else { return false }
    var colons = 0
    for byte in bytes {
      if byte == UInt8(ascii: ":") {
        colons += 1
      } else if Grammar.hex(byte) == nil,
        byte != UInt8(ascii: ".")
      {
        return false
      }
    }
    return colons >= 2
  }
}
