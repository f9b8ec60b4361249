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
  public let monotonic: Int64

  public init(loop: Int, scratch: ByteBuffer, now: Instant, monotonic: Int64) {
    self.loop = loop
    self.scratch = scratch
    self.now = now
    self.monotonic = monotonic
  }
}
