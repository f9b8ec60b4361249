import MartletJSON
import MartletTime

@testable import MartletHTTP

/// Drives an ``HTTP1`` like a connection, but without a socket. Answers each request with 200 and
/// records what happens.
struct Machine {
  let time = TestClock()
  let loop: LoopState
  var http: HTTP1
  /// The statuses of the responses, 100 included.
  var statuses: [Int] = []
  /// `GET /path body` for each dispatched request.
  var seen: [[UInt8]] = []
  /// All bytes that were written.
  var output: [UInt8] = []
  var isHalfClosed = false
  var isClosed = false
  var heartbeats = 0
  /// Answers requests. `nil` leaves the request with the handler.
  var answer: ((Request) -> Response?) = { _ in Response() }

  init(limits: Limits = Limits(), allowedHosts: [String]? = nil) {
    loop = LoopState(
      limits: limits, allowedHosts: allowedHosts.map(AllowedHosts.init), clock: time.clock)
    http = HTTP1(loop: loop, peer: Peer(high: 0, low: 1, port: 1))
  }

  mutating func receive(_ bytes: some Collection<UInt8>) {
    var rest = Array(bytes)[...]
    while !rest.isEmpty, http.wantsInput {
      _ = http.read { memory in
        let count = min(memory.count, rest.count)
        for place in 0..<count { memory[place] = rest.popFirst()! }
        return count
      }
      run()
    }
  }

  mutating func receive(_ text: String) { receive(Array(text.utf8)) }

  mutating func receiveEnd() {
    _ = http.read { _ in 0 }
    run()
  }

  mutating func pass(milliseconds: Int) {
    time.advance(milliseconds: Int64(milliseconds))
    loop.tick()
    http.expire()
    run()
  }

  mutating func send(_ response: Response) {
    http.send(response)
    run()
  }

  mutating func run() {
    while true {
      switch http.next() {
      case .wait:
        http.settleInput()
        return
      case .admit: http.readBody(most: loop.limits.body)
      case .dispatch(let request):
        let line = "\(request.method) \(request.path)" + (request.query.map { "?" + $0 } ?? "")
        seen.append(
          Array((request.body.count > 0 ? line + " " : line).utf8) + Array(request.body.bytes))
        if let response = answer(request) { http.send(response) }
      case .write(let body):
        let head = Array(loop.head.bytes)
        loop.head.removeAll()
        output += head
        if case .bytes(let bytes) = body { output += bytes }
        statuses.append(Int(String(decoding: head.dropFirst(9).prefix(3), as: UTF8.self))!)
        http.wrote(queued: 0, didMove: true)
      case .feed: http.endContent()
      case .giveUp: http.send(Response(.serviceUnavailable, isLast: true))
      case .heartbeat: heartbeats += 1
      case .rotate: isClosed = true
      case .halfClose: isHalfClosed = true
      case .close: isClosed = true
      }
    }
  }

  var text: String { String(decoding: output, as: UTF8.self) }
}
