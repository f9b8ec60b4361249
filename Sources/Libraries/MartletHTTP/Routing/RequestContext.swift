import MartletJSON
import MartletTime

/// The resources of the event loop that a handler may use for the duration of the call.
public struct RequestContext {
  /// The index of the event loop, from 0 to the number of loops minus one. Use it for one
  /// resource per loop, such as a database reader.
  public let loop: Int
  /// An empty buffer for the response's content, which ``Response/Body/scratch`` sends without a
  /// copy.
  public let scratch: ByteBuffer
  /// The wall clock at the start of this iteration of the event loop.
  public let now: Instant
  /// The monotonic clock at the start of this iteration, in milliseconds.
  package let monotonic: Int64

  /// Makes a context, for calling a handler without a server. `monotonic` is a time of the
  /// monotonic clock since any starting point.
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
