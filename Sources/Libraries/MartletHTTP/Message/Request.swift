import MartletJSON

/// A complete request: its head has been checked, and its body has been received.
///
/// A request is one reference and can be kept and sent to other threads. Strings are made on
/// access; ``fields`` compares names without making strings.
public struct Request: Sendable {
  let storage: RequestStorage
  /// The request ID that a higher layer assigns, for its log and its responses. Empty until then.
  public var id = ""
  /// The maximum nesting of a JSON body, for a higher layer that parses it.
  public var jsonDepth = 64
  /// The authenticated caller, once a higher layer has determined it.
  public var caller: (any AnyObject & Sendable)?

  init(_ storage: RequestStorage) { self.storage = storage }

  /// The request method.
  public var method: Method { storage.method }

  /// Whether the client uses HTTP/1.0. All other requests are treated as HTTP/1.1.
  public var isHTTP10: Bool { storage.isHTTP10 }

  /// The other end of the connection, which can be a proxy.
  public var peer: Peer { storage.peer }

  /// Whether the peer is a trusted proxy (``HTTPServer/Configuration/isTrusted``).
  public var isProxied: Bool { storage.isProxied }

  /// The client that sent the request: the peer, or the last address in `X-Forwarded-For` if the
  /// peer is a trusted proxy.
  public var client: Peer { forwarded ?? peer }

  /// Whether the request was sent from this machine.
  ///
  /// The peer and all clients in `X-Forwarded-For` must be loopback addresses. A trusted proxy that
  /// names no client forwards for others, and so does any proxy that sends `Forwarded` (RFC 7239).
  public var isLocal: Bool {
    if let forwarding { return forwarding.isLocal }
    guard peer.isLoopback, !fields.contains("Forwarded") else { return false }
    guard let named = fields.list("X-Forwarded-For") else { return !isProxied }
    return named.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      .allSatisfy { Request.address(Substring($0))?.isLoopback == true }
  }

  /// The client that a trusted proxy names, with or without a port. `nil` also if the value is not
  /// an address.
  private var forwarded: Peer? {
    guard isProxied, let named = fields.lastElement(of: "X-Forwarded-For") else { return nil }
    return Request.address(Substring(named))
  }

  /// Parses an element of `X-Forwarded-For`: an address with optional blanks around it and an
  /// optional port.
  private static func address(_ element: Substring) -> Peer? {
    var text = element.drop { $0 == " " || $0 == "\t" }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    if let peer = Peer(address: text) { return peer }
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let host = text[..<colon]
    return host.contains(":") && !host.hasSuffix("]") ? nil : Peer(address: host)
  }

  /// The requested host, with its port if there is one: the authority of an absolute target,
  /// otherwise `Host` (RFC 9112 section 3.2.2).
  public var host: String? { storage.authority.map { storage[$0].text } ?? fields["Host"] }

  /// Whether a trusted proxy forwards the request for a client, even if the client's address is
  /// unknown.
  var isForwarded: Bool { isProxied && fields.contains("X-Forwarded-For") }

  /// The header fields, as received.
  public var fields: RequestFields { RequestFields(storage: storage) }

  /// The request target: path and query.
  public var target: Target { Target(storage: storage) }

  /// The path as it was sent, with its escapes, such as `/v1/lists/3`.
  public var path: String { storage.path.count == 0 ? "/" : storage[storage.path].text }

  /// Calls `body` with the bytes of the path, which are ASCII, without making a string.
  package func withPath<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    body(storage[storage.path])
  }

  /// Calls `body` with the bytes of the request target, path and query as they were sent.
  package func withTarget<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    body(storage[storage.target])
  }

  /// The pattern of the matched route, such as `/v1/lists/{id}`. `nil` before routing, or if no
  /// route matched.
  public var route: String? { storage.route }

  /// The query as it was sent, without `?`. `nil` without a query.
  public var query: String? { storage.query.map { storage[$0].text } }

  /// A request as another server of the same service has forwarded it.
  package struct Forwarding: Sendable {
    /// Identifies the request if it is sent again.
    package var id: String
    /// Whether the client was on the machine of the server that has forwarded it.
    package var isLocal: Bool

    package init(id: String, isLocal: Bool) {
      self.id = id
      self.isLocal = isLocal
    }
  }

  /// How another server of the same service has forwarded the request; `nil` for one of a client.
  package var forwarding: Forwarding? {
    get { storage.forwarding }
    nonmutating set { storage.forwarding = newValue }
  }

  /// Whether a higher layer has read the query and rejected unknown parameters.
  package var isQueryRead: Bool {
    get { storage.isQueryRead }
    nonmutating set { storage.isQueryRead = newValue }
  }

  /// The decoded items of the query, in order.
  public var queryItems: [QueryItem] { target.queryItems }

  /// The body. Empty for a request without one.
  public var body: SharedBytes { storage.body ?? Request.empty }

  private static let empty = SharedBytes([])

  /// The decoded path segment that the matched pattern calls `{name}`. `nil` if the pattern has no
  /// such parameter.
  public func parameter(_ name: String) -> String? {
    for (index, known) in storage.parameterNames.enumerated() where known == name {
      return index < storage.parameters.count ? storage[storage.parameters[index]].text : nil
    }
    return nil
  }

  /// The parameter of that name as a decimal integer. `nil` if it is missing or not an
  /// integer.
  public func integer(_ name: String) -> Int64? {
    parameter(name).flatMap { Int64($0) }
  }
}
