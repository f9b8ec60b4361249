/// The header fields of a response, stored as the lines that will be sent.
///
/// A name is a token, and a value has no control characters. CR, LF and NUL cannot get in, so no
/// value can split a response (RFC 9110 section 5.5). Copies are cheap; create constant fields
/// once.
///
///     var fields = Fields()
///     fields["Content-Type"] = "application/json"
///     fields.append("Vary", "Accept")
///
/// The server itself writes `Content-Length`, `Transfer-Encoding`, `Connection` and `Date`, so they
/// cannot be added.
public struct Fields: Sendable, Hashable {
  private(set) var lines: [UInt8] = []

  /// Makes an empty collection of fields.
  public init() {}

  /// No fields. Using it saves an initialization.
  public static let none = Fields()

  /// Makes fields from the pairs that are valid fields.
  public init(_ pairs: KeyValuePairs<StaticString, String>) {
    for (name, value) in pairs { append(name, value) }
  }

  /// Lines that the server has written itself.
  init(lines: [UInt8]) { self.lines = lines }

  /// Whether there are no fields.
  public var isEmpty: Bool { lines.isEmpty }

  /// Adds a line.
  ///
  /// Returns false and adds nothing if the name is not a token, the value has a control character,
  /// or the server writes the field itself.
  @discardableResult
  public mutating func append(_ name: StaticString, _ value: String) -> Bool {
    var value = value
    return value.withUTF8 {
      add(
        UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount), $0)
    }
  }

  /// Adds a line, like ``append(_:_:)``, with a value of bytes.
  @discardableResult
  package mutating func append(_ name: StaticString, _ value: UnsafeBufferPointer<UInt8>) -> Bool {
    add(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount), value)
  }

  /// Adds a line, like ``append(_:_:)``, with a name made at run time.
  @discardableResult
  public mutating func append(name: String, _ value: String) -> Bool {
    var name = name
    var value = value
    return name.withUTF8 { name in value.withUTF8 { add(name, $0) } }
  }

  /// Adds all lines of `other`.
  public mutating func append(_ other: Fields) {
    if lines.isEmpty { lines = other.lines } else { lines += other.lines }
  }

  /// The first value of a field. Setting it replaces all values of the field; `nil` removes them.
  public subscript(name: StaticString) -> String? {
    get {
      var found: String?
      visit { key, value in
        if found == nil, key.equalsIgnoringCase(name) { found = value.text }
      }
      return found
    }
    set {
      remove(name)
      if let newValue { append(name, newValue) }
    }
  }

  /// Whether there is a field of this name. Names are case-insensitive.
  public func contains(_ name: StaticString) -> Bool {
    var isThere = false
    visit { key, _ in isThere = isThere || key.equalsIgnoringCase(name) }
    return isThere
  }

  /// Removes all fields of this name.
  public mutating func remove(_ name: StaticString) {
    guard contains(name) else { return }
    var kept = Fields()
    visit { key, value in
      if !key.equalsIgnoringCase(name) { _ = kept.add(key, value) }
    }
    self = kept
  }

  /// Calls `body` with the bytes of the first value of a field, without making a string.
  package func withFirst(_ name: StaticString, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    var isFound = false
    visit { key, value in
      guard !isFound, key.equalsIgnoringCase(name) else { return }
      isFound = true
      body(value)
    }
  }

  /// Calls `body` with the bytes of each name and value, in order.
  package func visit(
    _ body: (_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Void
  ) {
    lines.withUnsafeBufferPointer { bytes in
      var start = 0
      while start < bytes.count {
        // Every line has the form that `add` writes, also in `init(lines:)`: name, colon, space,
        // value, CR, LF.
        var colon = start
        while bytes[colon] != UInt8(ascii: ":") { colon += 1 }
        var end = colon + 2
        while bytes[end] != 0x0D { end += 1 }
        body(bytes[slice: start, colon], bytes[slice: colon + 2, end])
        start = end + 2
      }
    }
  }

  /// The names and values as strings, in order.
  public var all: [(name: String, value: String)] {
    var pairs: [(name: String, value: String)] = []
    visit { pairs.append(($0.text, $1.text)) }
    return pairs
  }

  private mutating func add(
    _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard Grammar.isToken(name), Grammar.isFieldValue(value), !Fields.isReserved(name) else {
      return false
    }
    // Reserves room for the whole line at once, so that lines shared with another value are copied
    // only once.
    let room = lines.count + name.count + value.count + 4
    lines.reserveCapacity(room <= lines.capacity ? room : max(room + 64, 160))
    lines.append(contentsOf: name)
    lines.append(UInt8(ascii: ":"))
    lines.append(0x20)
    lines.append(contentsOf: value)
    lines.append(0x0D)
    lines.append(0x0A)
    return true
  }

  private static func isReserved(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    switch name.count {
    case 4: name.equalsIgnoringCase("Date")
    case 10: name.equalsIgnoringCase("Connection")
    case 14: name.equalsIgnoringCase("Content-Length")
    case 17: name.equalsIgnoringCase("Transfer-Encoding")
    default: false
    }
  }
}

extension Fields: CustomStringConvertible {
  public var description: String { String(decoding: lines, as: UTF8.self) }
}
