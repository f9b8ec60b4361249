import MartletJSON

/// A range of bytes in the head of a request.
struct Slice: Sendable {
  var start: Int32
  var end: Int32

  static let none = Slice(start: 0, end: 0)

  @inline(__always) init(start: Int32, end: Int32) {
    self.start = start
    self.end = end
  }

  @inline(__always) init(_ start: Int, _ end: Int) {
    self.start = Int32(truncatingIfNeeded: start)
    self.end = Int32(truncatingIfNeeded: end)
  }

  var count: Int { Int(end &- start) }
}

/// The bytes of one request and the positions of its parts.
///
/// `@unchecked Sendable`: the event loop fills it before a handler sees it, and changes it again
/// only when it holds the last reference (``RequestPool``).
final class RequestStorage: @unchecked Sendable {
  struct Field {
    var name: Slice
    var value: Slice
  }

  /// The head as it was received, followed by the decoded segments of a path with percent-escapes.
  let head = ByteBuffer(capacity: 1024)
  @exclusivity(unchecked) var method = Method.get
  @exclusivity(unchecked) var isHTTP10 = false
  @exclusivity(unchecked) var target = Slice.none
  @exclusivity(unchecked) var path = Slice.none
  /// The pattern of the matched route.
  @exclusivity(unchecked) var route: String?
  /// The query without its `?`. `nil` without a query.
  @exclusivity(unchecked) var query: Slice?
  /// The authority of a target in absolute form.
  @exclusivity(unchecked) var authority: Slice?
  @exclusivity(unchecked) var fields: [Field] = []
  @exclusivity(unchecked) var segments: [Slice] = []
  /// The parameter names of the matched pattern. Their values are in ``parameters``.
  @exclusivity(unchecked) var parameterNames: [String] = []
  @exclusivity(unchecked) var parameters: [Slice] = []
  @exclusivity(unchecked) var body: SharedBytes?
  @exclusivity(unchecked) var peer = Peer(high: 0, low: 0, port: 0)

  /// Whether a higher layer has read the query.
  @exclusivity(unchecked) var isQueryRead = false
  /// How another server of the same service has forwarded the request.
  @exclusivity(unchecked) var forwarding: Request.Forwarding?
  /// Whether the peer is a trusted proxy.
  @exclusivity(unchecked) var isProxied = false

  // Results of the framing rules (RFC 9112 sections 6 and 9).
  @exclusivity(unchecked) var length = 0
  @exclusivity(unchecked) var isChunked = false
  @exclusivity(unchecked) var mayPersist = true
  @exclusivity(unchecked) var expectsContinue = false

  // The share of the body budget that this request uses until its last reference is gone.
  @exclusivity(unchecked) private var held = 0
  @exclusivity(unchecked) private var holder: Peer?
  @exclusivity(unchecked) private var budget: ByteBudget?

  deinit { release() }

  /// Counts `count` received bytes of the body for a client. Returns false if the budget has no
  /// room.
  func hold(_ count: Int, of budget: ByteBudget, for client: Peer?) -> Bool {
    guard count > held else { return true }
    guard budget.take(count - held, onTopOf: held, for: client) else { return false }
    held = count
    holder = client
    self.budget = budget
    return true
  }

  /// Returns the counted bytes to the budget.
  func release() {
    guard let budget else { return }
    budget.give(held, of: holder)
    held = 0
    self.budget = nil
  }

  @inline(__always) subscript(slice: Slice) -> UnsafeBufferPointer<UInt8> {
    head.bytes[slice: Int(slice.start), Int(slice.end)]
  }

  var hasBody: Bool { isChunked || length > 0 }

  /// The length of a refused body that the server reads and drops to keep the connection open.
  ///
  /// `nil` for a body that is long, whose length is unknown, or that may never come because the
  /// client waits for `100 Continue`.
  var skippable: Int? { isChunked || expectsContinue || length > 64 << 10 ? nil : length }

  func reset() {
    head.removeAll(keepingCapacityUpTo: 4096)
    method = .get
    query = nil
    isQueryRead = false
    forwarding = nil
    route = nil
    authority = nil
    fields.removeAll(keepingCapacity: true)
    segments.removeAll(keepingCapacity: true)
    parameters.removeAll(keepingCapacity: true)
    body = nil
    release()
    length = 0
    isHTTP10 = false
    isChunked = false
    mayPersist = true
    expectsContinue = false
  }

  func matched(_ pattern: String, _ names: [String]) {
    route = pattern
    if !names.isEmpty { parameterNames = names }
  }

  /// The first value of a field, without a copy.
  func first(_ name: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    for field in fields where field.name.count == name.count {
      if self[field.name].equalsIgnoringCase(name) { return self[field.value] }
    }
    return nil
  }
}

/// Reuses the request storage of one loop. Most handlers keep nothing of a request, so the next
/// request can use the same memory.
final class RequestPool {
  private var spare: RequestStorage?

  func take() -> RequestStorage {
    if let storage = spare {
      spare = nil
      return storage
    }
    return RequestStorage()
  }

  /// Takes the storage back unless another reference exists, such as in a handler's closure or an
  /// observer.
  func give(_ storage: consuming RequestStorage) {
    guard spare == nil, isKnownUniquelyReferenced(&storage) else { return }
    storage.reset()
    spare = storage
  }
}
