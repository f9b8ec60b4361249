import MartletJSON

/// Parses `request-target = origin-form / absolute-form / authority-form / asterisk-form` (RFC 9112
/// section 3.2).
enum TargetParser {
  /// Finds the path and query of `storage.target` in `bytes`. ``decode(_:)`` checks their escapes
  /// when the head is complete.
  static func parse(
    _ bytes: UnsafeBufferPointer<UInt8>, _ storage: RequestStorage
  ) throws(ProtocolError) {
    var start = Int(storage.target.start)
    let end = Int(storage.target.end)
    guard start < end else {
      throw .malformed("The request line has no target.", "RFC 9112 3.2")
    }
    for place in start..<end where !Grammar.isTarget(bytes[place]) {
      throw .malformed("The target holds a character that must be escaped.", "RFC 9112 3.2")
    }
    switch storage.method {
    case .connect: throw .unknownMethod
    case .options where end == start + 1 && bytes[start] == UInt8(ascii: "*"):
      storage.path = storage.target
      return
    default: break
    }
    if bytes[start] != UInt8(ascii: "/") {
      start = try absolute(bytes, start, end, storage)
    }
    let mark = bytes[slice: 0, end].firstIndex(of: UInt8(ascii: "?"), from: start)
    storage.path = Slice(start, mark ?? end)
    storage.query = mark.map { Slice($0 + 1, end) }
  }

  /// Parses the `absolute-form` `http://authority/path`. Returns where the path begins.
  private static func absolute(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int, _ storage: RequestStorage
  ) throws(ProtocolError) -> Int {
    for scheme: StaticString in ["http://", "https://"] {
      let authority = start + scheme.utf8CodeUnitCount
      guard authority < end, bytes[slice: start, authority].equalsIgnoringCase(scheme) else {
        continue
      }
      var path = authority
      while path < end, bytes[path] != UInt8(ascii: "/"), bytes[path] != UInt8(ascii: "?") {
        path += 1
      }
      storage.authority = Slice(authority, path)
      return path
    }
    throw .malformed("The target must be a path or an http URI.", "RFC 9112 3.2")
  }

  /// Checks the escapes and finds the segments, in the storage's own copy of the head. Decoded
  /// segments are appended to it.
  static func decode(_ storage: RequestStorage) throws(ProtocolError) {
    if let query = storage.query, storage[query].contains(UInt8(ascii: "%")) {
      try check(storage[query])
      let count = storage.head.count
      storage.head.reserve(query.count)
      PercentEncoding.decode(storage[query], plusIsSpace: false, into: storage.head)
      let isText = PercentEncoding.isUTF8(storage.head.bytes[slice: count, storage.head.count])
      storage.head.truncate(to: count)
      guard isText else {
        throw .malformed("The query is not UTF-8 when decoded.", "RFC 3986 2.5")
      }
    }
    let path = storage[storage.path]
    guard path.count > 0, path[0] == UInt8(ascii: "/") else { return }
    let isEscaped = path.contains(UInt8(ascii: "%"))
    if isEscaped { try check(path) }
    guard path.count > 1 else { return }
    let end = Int(storage.path.end)
    var start = Int(storage.path.start) + 1
    while start <= end {
      let slash = storage.head.bytes[slice: 0, end].firstIndex(of: UInt8(ascii: "/"), from: start)
      let segment = Slice(start, slash ?? end)
      storage.segments.append(isEscaped ? try decoded(segment, storage) : segment)
      start = (slash ?? end) + 1
    }
  }

  private static func decoded(
    _ segment: Slice, _ storage: RequestStorage
  ) throws(ProtocolError) -> Slice {
    guard storage[segment].contains(UInt8(ascii: "%")) else { return segment }
    // Reserve first: the source must not move while decoded bytes are appended behind it.
    storage.head.reserve(segment.count)
    let start = storage.head.count
    PercentEncoding.decode(storage[segment], plusIsSpace: false, into: storage.head)
    let slice = Slice(start, storage.head.count)
    guard PercentEncoding.isUTF8(storage[slice]) else {
      throw .malformed("The path is not UTF-8 when decoded.", "RFC 3986 2.5")
    }
    return slice
  }

  private static func check(_ bytes: UnsafeBufferPointer<UInt8>) throws(ProtocolError) {
    switch PercentEncoding.fault(bytes) {
    case nil: return
    case .digits:
      throw .malformed(
        "A % in the target must have two hexadecimal digits after it. Write %25 for the % itself.",
        "RFC 3986 2.1")
    case .nul:
      throw .malformed(
        "The target has a %00, the character NUL, which is not allowed. Leave it out.",
        "RFC 3986 2.1")
    }
  }
}
