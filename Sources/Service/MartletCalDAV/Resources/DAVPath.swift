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
    if let scheme = path.firstRange(of: "://") {
      let rest = path[scheme.upperBound...]
      path = rest[(rest.firstIndex(of: "/") ?? rest.endIndex)...]
    }
    if let end = path.firstIndex(where: { $0 == "?" || $0 == "#" }) { path = path[..<end] }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 4, parts[0].isEmpty, parts[1] == "dav", parts[2] == "lists",
      let list = PercentEncoding.decoded(parts[3]), !list.isEmpty
    else { return nil }
    switch parts.count {
    case 4: return (list, nil)
    case 5 where parts[4].isEmpty: return (list, nil)
    case 5: return PercentEncoding.decoded(parts[4]).map { (list, $0) }
    default: return nil
    }
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
  /// Without white space around it, as XML has it between elements.
  var trimmed: String {
    var text = Substring(self)
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}
