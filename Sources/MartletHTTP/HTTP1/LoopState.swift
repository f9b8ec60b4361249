import MartletJSON
import MartletTime

/// What the connections of one event loop share: settings, buffers and the time of this turn.
final class LoopState {
  let limits: Limits
  let times: TimeLimits
  let allowedHosts: AllowedHosts?
  /// Lines that every answer has.
  let commonFields: Fields
  let isTrusted: @Sendable (Peer) -> Bool
  let budgets: Budgets
  /// What an operator can do about errors of a kind.
  let hints: [ProblemType: String]
  let requests = RequestPool()
  /// The head of the answer that is being written.
  let head = ByteBuffer(capacity: 2048)
  /// Where handlers build bodies.
  let scratch = ByteBuffer(capacity: 16 << 10)
  /// The piece of content that is being sent.
  let piece = ByteBuffer(capacity: 1024)
  /// An empty input buffer that the next connection with something to read takes.
  var spareInput: ByteBuffer?
  @exclusivity(unchecked) var isDraining = false

  private let clock: MartletTime.Clock
  /// Milliseconds of the monotonic clock at the beginning of this turn.
  @exclusivity(unchecked) private(set) var now: Int64 = 0
  @exclusivity(unchecked) private(set) var wall = Instant.epoch
  /// When this share of the turn began, and whether it has lasted long.
  @exclusivity(unchecked) private(set) var shareStart: UInt64 = 0
  @exclusivity(unchecked) private(set) var isLate = false
  /// Then each connection that has an event has one request; its others come in the share of those that go on.
  @exclusivity(unchecked) private(set) var allowsOne = false
  @exclusivity(unchecked) private var isForEvents = true
  private static let share: UInt64 = 10_000_000
  private var dateSecond = Int64.min
  /// `Date: Sun, 06 Nov 1994 08:49:37 GMT` and CR LF; written anew when the second changes.
  let dateLine = ByteBuffer(capacity: 64)

  init(
    limits: Limits, allowedHosts: AllowedHosts? = nil, commonFields: Fields = .none,
    isTrusted: @escaping @Sendable (Peer) -> Bool = { _ in false }, budgets: Budgets? = nil,
    hints: [ProblemType: String] = [:],
    clock: MartletTime.Clock = .system
  ) {
    self.limits = limits
    times = TimeLimits(limits)
    self.hints = hints
    self.budgets = budgets ?? Budgets(limits)
    self.allowedHosts = allowedHosts
    self.commonFields = commonFields
    self.isTrusted = isTrusted
    self.clock = clock
    tick()
  }

  /// Reads the clocks; once in a turn of the loop.
  func tick() {
    shareStart = clock.monotonic()
    isLate = false
    allowsOne = false
    isForEvents = true
    now = Int64(clamping: shareStart / 1_000_000)
    wall = clock.now()
    guard wall.seconds != dateSecond else { return }
    dateSecond = wall.seconds
    dateLine.removeAll()
    dateLine.append("Date: ")
    _ = dateLine.append(upTo: HTTPDate.length) { (bytes: UnsafeMutableBufferPointer<UInt8>) in
      HTTPDate.write(wall, to: bytes.baseAddress!)
      return HTTPDate.length
    }
    dateLine.append("\r\n")
  }

  /// A problem that says when to come again.
  func refusal(_ error: ProtocolError, retryAfter: Int? = nil) -> Response {
    let seconds = retryAfter ?? times.retryAfter
    return Problem(error, fields: Fields(["Retry-After": String(seconds)]), hints: hints).response()
  }

  /// Nanoseconds of the monotonic clock, now; for durations.
  func nanoseconds() -> UInt64 { clock.monotonic() }

  /// Others have their share of the turn from here on: messages, as events, or connections that go on.
  func beginShare(forEvents: Bool) {
    shareStart = clock.monotonic()
    isLate = false
    allowsOne = false
    isForEvents = forEvents
  }

  /// Told the time by those who have looked at the clock anyway.
  func noteLateness(at now: UInt64) {
    guard now >= shareStart + LoopState.share else { return }
    isLate = true
    allowsOne = isForEvents
  }

  func takeInput() -> ByteBuffer {
    if let buffer = spareInput {
      spareInput = nil
      return buffer
    }
    return ByteBuffer(capacity: HTTP1.readSize)
  }

  /// Takes back an input buffer of which everything was used.
  func give(input: ByteBuffer) {
    guard spareInput == nil else { return }
    input.removeAll(keepingCapacityUpTo: HTTP1.readSize)
    spareInput = input
  }
}
