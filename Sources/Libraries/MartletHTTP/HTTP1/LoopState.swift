import MartletJSON
import MartletTime

/// The state that the connections of one event loop share: settings, buffers and the time.
final class LoopState {
  let limits: Limits
  let times: TimeLimits
  let allowedHosts: AllowedHosts?
  /// Fields that every response has.
  let commonFields: Fields
  let isTrusted: @Sendable (Peer) -> Bool
  let budgets: Budgets
  /// Sentences for the server's own errors that name the setting to change.
  let hints: [ProblemType: String]
  let requests = RequestPool()
  /// The head of the response that is being written.
  let head = ByteBuffer(capacity: 2048)
  /// The buffer in which handlers build bodies.
  let scratch = ByteBuffer(capacity: 16 << 10)
  /// The piece of content that is being sent.
  let piece = ByteBuffer(capacity: 1024)
  /// An empty input buffer for the next connection that has something to read.
  var spareInput: ByteBuffer?
  @exclusivity(unchecked) var isDraining = false

  private let clock: MartletTime.Clock
  /// Milliseconds of the monotonic clock at the start of this iteration.
  @exclusivity(unchecked) private(set) var now: Int64 = 0
  @exclusivity(unchecked) private(set) var wall = Instant.epoch
  /// The start of the current part of the iteration, and whether the part has exceeded its time.
  @exclusivity(unchecked) private(set) var shareStart: UInt64 = 0
  @exclusivity(unchecked) private(set) var isLate = false
  /// Whether each connection with an event may process only one request, because the part is late.
  /// Its other requests are processed with the unfinished connections.
  @exclusivity(unchecked) private(set) var allowsOne = false
  @exclusivity(unchecked) private var isForEvents = true
  private static let share: UInt64 = 10_000_000
  private var dateSecond = Int64.min
  /// `Date: Sun, 06 Nov 1994 08:49:37 GMT` and CR LF, rewritten when the second changes.
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

  /// Reads the clocks once per iteration of the event loop.
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

  /// A problem response with `Retry-After`.
  func refusal(_ error: ProtocolError, retryAfter: Int? = nil) -> Response {
    let seconds = retryAfter ?? times.retryAfter
    return Problem(error, fields: Fields(["Retry-After": String(seconds)]), hints: hints).response()
  }

  /// The current time of the monotonic clock in nanoseconds, for durations.
  func nanoseconds() -> UInt64 { clock.monotonic() }

  /// Starts the next part of the iteration. Messages count as events, unfinished connections do
  /// not.
  func beginShare(forEvents: Bool) {
    shareStart = clock.monotonic()
    isLate = false
    allowsOne = false
    isForEvents = forEvents
  }

  /// Notes whether the current part has exceeded its time, using a time that the caller has already
  /// read.
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

  /// Takes back an input buffer whose bytes have all been used.
  func give(input: ByteBuffer) {
    guard spareInput == nil else { return }
    input.removeAll(keepingCapacityUpTo: HTTP1.readSize)
    spareInput = input
  }
}
