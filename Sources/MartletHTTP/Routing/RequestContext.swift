import MartletJSON
import MartletTime

/// What the event loop lends to a handler for the length of its call.
public struct RequestContext {
  /// The loop's index, 0 up to the number of loops: for a reader per loop.
  public let loop: Int
  /// Empty memory for a body, sent by ``Response/Body/scratch`` without a copy.
  public let scratch: ByteBuffer
  /// The wall clock at the beginning of this turn of the loop.
  public let now: Instant
  /// Milliseconds of the monotonic clock at the same moment.
  package let monotonic: Int64

  /// `monotonic`: the monotonic clock at the same moment, since any start.
  public init(loop: Int, scratch: ByteBuffer, now: Instant, monotonic: Duration) {
    self.init(
      loop: loop, scratch: scratch, now: now, milliseconds: Int64(monotonic.wholeMilliseconds))
  }

  init(loop: Int, scratch: ByteBuffer, now: Instant, milliseconds: Int64) {
    self.loop = loop
    self.scratch = scratch
    self.now = now
    monotonic = milliseconds
  }
}
