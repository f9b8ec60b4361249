import MartletJSON
import MartletTime
import TestSupport

@testable import MartletHTTP

/// A connection of ``HTTP1`` without a socket: incoming bytes, the responses of a handler, and the
/// resulting requests.
struct Conversation {
  enum Manner {
    /// All bytes at once, and each response at once.
    case whole
    /// Bytes in pieces, late responses, and a client that reads them late.
    case cut
    /// Like ``cut``, with time passing.
    case impatient
  }

  /// The requests that reached the handler, each as text.
  private(set) var requests: [[UInt8]] = []
  private let manner: Manner
  private var random: SeededRandom
  private let clock = TestClock()
  private let loop: LoopState
  private var http: HTTP1
  /// The request that the handler has not answered yet.
  private var open: Request?
  /// Requests that the handler still holds, and their original text.
  private var kept: [(request: Request, text: [UInt8])] = []
  /// The bytes that the client has not read yet.
  private var queued = 0

  var isRejected: Bool { http.rejection != nil }

  init(_ manner: Manner = .whole, _ random: SeededRandom = SeededRandom(seed: 0)) {
    self.manner = manner
    self.random = random
    loop = LoopState(limits: Conversation.limits, clock: clock.clock)
    http = HTTP1(loop: loop, peer: Peer(high: 0, low: 1, port: 1))
  }

  /// Limits small enough to be reached by short inputs.
  private static let limits = {
    var limits = Limits()
    limits.requestLine = 128
    limits.fieldLine = 96
    limits.headerSection = 256
    limits.fieldCount = 8
    limits.body = 128
    limits.chunkExtensions = 16
    limits.trailerSection = 64
    limits.trailerCount = 3
    limits.requestsPerConnection = 6
    limits.queuedOutput = 1000
    limits.lingerBytes = 256
    return limits
  }()

  mutating func receive(_ bytes: UnsafeBufferPointer<UInt8>) throws {
    var start = 0
    while start < bytes.count {
      try goOn()
      guard http.wantsInput else { break }
      let most = bytes.count - start
      let size = manner == .whole ? most : Int.random(in: 1...min(most, pieceSize), using: &random)
      let count = http.read { memory in
        let piece = UnsafeBufferPointer(rebasing: bytes[start...].prefix(min(size, memory.count)))
        return UnsafeMutableRawBufferPointer(memory).loadAll(piece)
      }
      start += count
      try settle()
    }
  }

  /// Small pieces for varied splits, and large ones for progress.
  private var pieceSize: Int {
    mutating get { random.once(in: 3) ? 200 : 5 }
  }

  /// Ends the client's input and runs the connection until it is closed.
  mutating func end() throws {
    try goOn()
    if http.wantsInput {
      _ = http.read { _ in 0 }
      try settle()
    }
    while open != nil || queued > 0 { try goOn() }
    try expect(http.state == .closed, "at the end it is \(http.state)")
    for (request, text) in kept {
      try expect(Conversation.text(of: request) == text, "a request changed in a handler's hands")
    }
  }

  /// Performs what was delayed: the client reads its responses, and the handler answers.
  private mutating func goOn() throws {
    if manner == .impatient, random.once(in: 8) {
      clock.advance(milliseconds: Int64.random(in: 0...40_000, using: &random))
      loop.tick()
      http.expire()
      try settle()
    }
    while open != nil || queued > 0 {
      if queued > 0 {
        queued = 0
        http.wrote(queued: 0, didMove: true)
      }
      if let request = open.take() { answer(request) }
      try settle()
    }
  }

  private mutating func settle() throws {
    while true {
      _ = http.deadline
      switch http.next() {
      case .wait:
        http.settleInput()
        return
      case .admit(let request):
        if request.path == "/unread" { answer(request) } else { http.readBody(most: 128) }
      case .dispatch(let request): try take(request)
      case .write: try write()
      case .feed:
        if manner != .whole, random.once(in: 2) {
          queued = 1
          http.wrote(queued: queued, didMove: false)
        } else {
          http.endContent()
        }
      case .giveUp:
        open = nil
        http.send(Response(.serviceUnavailable, isLast: true))
      case .heartbeat: break
      case .rotate: http.endStream()
      case .halfClose, .close: break
      }
    }
  }

  private mutating func take(_ request: Request) throws {
    let text = Conversation.text(of: request)
    requests.append(text)
    try expect(request.storage.head.count < 1000, "a head of \(request.storage.head.count) bytes")
    try expect(request.body.count <= 128, "a body of \(request.body.count) bytes")
    if manner == .whole {
      answer(request)
    } else {
      if random.once(in: 2) { kept.append((request, text)) }
      if random.once(in: 2) { open = request } else { answer(request) }
    }
  }

  private mutating func answer(_ request: Request) {
    switch request.path {
    case "/stream":
      if http.startStream(.ok, .none), manner != .whole, random.once(in: 2) { http.endStream() }
    case "/made": http.send(Response(body: .source(Nothing())))
    case "/last": http.send(Response(isLast: true))
    case "/none": http.send(Response(.noContent))
    default: http.send(Response(body: .text("{}")))
    }
  }

  private mutating func write() throws {
    let head = Array(loop.head.bytes)
    loop.head.removeAll()
    try expect(head.starts(with: "HTTP/1.1 ".utf8), "an answer begins otherwise")
    try expect(head.suffix(4) == [13, 10, 13, 10], "an answer's head has no end")
    queued = manner == .whole || random.once(in: 2) ? 0 : Int.random(in: 1...2000, using: &random)
    http.wrote(queued: queued, didMove: true)
  }

  /// Everything that a handler can read from a request.
  private static func text(of request: Request) -> [UInt8] {
    var text = "\(request.method) \(request.isHTTP10) \(request.target.raw)\n"
    text += "\(request.path) \(request.query ?? "-") \(request.target.segments)\n"
    text += "\(request.queryItems)\n"
    for (name, value) in request.fields.all { text += "\(name): \(value)\n" }
    return Array(text.utf8) + Array(request.body.bytes)
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Copies the bytes to the front and returns their number.
  fileprivate func loadAll(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    copyBytes(from: bytes)
    return bytes.count
  }
}

/// A body source without content.
private final class Nothing: BodySource {
  func start(_ wake: @escaping @Sendable () -> Void) {}
  func read(upTo most: Int, into buffer: ByteBuffer) -> BodyProgress { .end }
  func stop() {}
}
