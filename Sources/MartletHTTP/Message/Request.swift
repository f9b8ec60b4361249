import MartletJSON

/// A complete request: its head was checked and its body is here.
///
/// A value with one reference, safe to keep and to send to other threads. Texts are made when they
/// are asked for; ``fields`` compares names without making any.
public struct Request: Sendable {
  let storage: RequestStorage
  /// What a layer above names this request by, in its log and its answers. Empty until it does.
  public var id = ""
  /// How deep a JSON body may nest, for a layer above that reads it as JSON.
  public var jsonDepth = 64
  /// Who has sent it, as far as a layer above has found out.
  public var caller: (any AnyObject & Sendable)?

  init(_ storage: RequestStorage) { self.storage = storage }

  public var method: Method { storage.method }

  /// Whether the client speaks HTTP/1.0; everything else is treated as HTTP/1.1.
  public var isHTTP10: Bool { storage.isHTTP10 }

  public var peer: Peer { storage.peer }

  /// Whether the peer is a proxy that is believed (``HTTPServer/Configuration/isTrusted``).
  public var isProxied: Bool { storage.isProxied }

  /// Who has sent the request: the peer, or whom a trusted proxy names last in `X-Forwarded-For`.
  public var client: Peer { forwarded ?? peer }

  /// Whether it was sent from this machine: the peer is on it, and so is every client that proxies on the
  /// way have named (`X-Forwarded-For`). A trusted proxy that names none speaks for others, and so does any
  /// proxy that says so in its own way (`Forwarded`, RFC 7239).
  public var isLocal: Bool {
    guard peer.isLoopback, !fields.contains("Forwarded") else { return false }
    guard let named = fields.list("X-Forwarded-For") else { return !isProxied }
    return named.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      .allSatisfy { Request.address(Substring($0))?.isLoopback == true }
  }

  /// Whom a trusted proxy names, perhaps with a port; `nil` also where it names nobody that is an address.
  private var forwarded: Peer? {
    guard isProxied, let named = fields.lastElement(of: "X-Forwarded-For") else { return nil }
    return Request.address(Substring(named))
  }

  /// An element of `X-Forwarded-For`: an address, perhaps with blanks around it and a port behind it.
  private static func address(_ element: Substring) -> Peer? {
    var text = element.drop { $0 == " " || $0 == "\t" }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    if let peer = Peer(address: text) { return peer }
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let host = text[..<colon]
    return host.contains(":") && !host.hasSuffix("]") ? nil : Peer(address: host)
  }

  /// The host that was asked for, and perhaps its port: an absolute target's authority, else `Host` (RFC 9112
  /// section 3.2.2).
  public var host: String? { storage.authority.map { storage[$0].text } ?? fields["Host"] }

  /// A trusted proxy forwards it for somebody, whoever that is.
  var isForwarded: Bool { isProxied && fields.contains("X-Forwarded-For") }

  /// The header fields, as they came.
  public var fields: RequestFields { RequestFields(storage: storage) }

  /// The request target: path and query.
  public var target: Target { Target(storage: storage) }

  /// The path as it was sent, escapes and all: `/v1/lists/3`.
  public var path: String { storage.path.count == 0 ? "/" : storage[storage.path].text }

  /// Calls `body` with the path's bytes, for which no text is made. ASCII.
  package func withPath<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    body(storage[storage.path])
  }

  /// Calls `body` with the request target's bytes, path and query as they were sent.
  package func withTarget<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    body(storage[storage.target])
  }

  /// The pattern of the route that it was handed to: `/v1/lists/{id}`.
  public var route: String? { storage.route }

  /// The query as it was sent, without `?`; `nil` when there is none.
  public var query: String? { storage.query.map { storage[$0].text } }

  /// Whether a layer above has read the query, and refused what it does not know.
  package var isQueryRead: Bool {
    get { storage.isQueryRead }
    nonmutating set { storage.isQueryRead = newValue }
  }

  /// The query's items in order, decoded.
  public var queryItems: [QueryItem] { target.queryItems }

  /// The body; empty when there is none.
  public var body: SharedBytes { storage.body ?? Request.empty }

  private static let empty = SharedBytes([])

  /// The decoded segment that the matched pattern calls `{name}`; `nil` when it has none of that
  /// name.
  public func parameter(_ name: String) -> String? {
    for (index, known) in storage.parameterNames.enumerated() where known == name {
      return index < storage.parameters.count ? storage[storage.parameters[index]].text : nil
    }
    return nil
  }

  /// Like ``parameter(_:)``, as a decimal integer; `nil` also when it is not one.
  public func integer(_ name: String) -> Int64? {
    parameter(name).flatMap { Int64($0) }
  }
}
