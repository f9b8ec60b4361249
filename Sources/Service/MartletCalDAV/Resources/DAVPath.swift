import MartletHTTP

/// The paths of resources.
enum DAVPath {
  static let root = "/dav/"
  static let principal = "/dav/principal/"
  static let home = "/dav/lists/"

  static func encode(_ name: String) -> String { PercentEncoding.encode(name) }
  static func list(_ name: String) -> String { "\(home)\(PercentEncoding.encode(name))/" }
  static func object(_ name: String, in list: String) -> String {
    "\(DAVPath.list(list))\(PercentEncoding.encode(name))"
  }

  /// The list, and the object, of a path or URL that a client has sent, decoded; `nil` for another
  /// one. The host is not compared: a proxy may have another one.
  static func parse(_ href: String) -> (list: String, object: String?)? {
    var path = Substring(href.trimmed)
    if path.utf8.first != UInt8(ascii: "/"), let scheme = path.firstRange(of: "://") {
      let rest = path[scheme.upperBound...]
      path = rest[(rest.firstIndex(of: "/") ?? rest.endIndex)...]
    }
    let slash = UInt8(ascii: "/")
    var rest = path.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    guard rest.starts(with: home.utf8) else { return nil }
    rest = rest.dropFirst(home.utf8.count)
    let object = rest.firstIndex(of: slash).map { rest[rest.index(after: $0)...] } ?? rest.suffix(0)
    let name = rest.prefix { $0 != slash }
    guard let list = PercentEncoding.decoded(String(Substring(name))), !list.isEmpty,
      !object.contains(slash)
    else { return nil }
    if object.isEmpty { return (list, nil) }
    return PercentEncoding.decoded(String(Substring(object))).map { (list, $0) }
  }

  /// Whether a client can give a name to a list.
  static func isName(ofList name: String) -> Bool {
    isName(ofObject: name) && !name.utf8.contains(UInt8(ascii: "/"))
  }

  /// Whether a client can give a name to an object. A slash, `%2F` in a path, is a character of it,
  /// as in the UID of some programs. No part is a dot segment (RFC 3986 section 3.3), which a proxy
  /// that decodes the path would remove.
  static func isName(ofObject name: String) -> Bool {
    (1...255).contains(name.utf8.count)
      && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
      && !name.utf8.split(separator: UInt8(ascii: "/")).contains {
        $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8)
      }
  }
}

extension String {
  /// Without white space around it (https://www.w3.org/TR/xml/#NT-S).
  var trimmed: String {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0A ~= byte || byte == 0x0D }
    var text = utf8[...]
    while let first = text.first, isSpace(first) { text.removeFirst() }
    while let last = text.last, isSpace(last) { text.removeLast() }
    return text.count == utf8.count ? self : String(Substring(text))
  }
}
