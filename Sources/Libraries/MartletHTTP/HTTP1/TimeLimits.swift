import MartletTime

/// The times of ``Limits`` in milliseconds of the loop's clock, because deadlines are compared at
/// each event.
struct TimeLimits {
  let head: Int64
  let idle: Int64
  let bodyPause: Int64
  let body: Int64
  let handler: Int64
  let write: Int64
  let heartbeat: Int64
  let lifetime: Int64
  let linger: Int64
  /// The seconds of `Retry-After`.
  let retryAfter: Int

  init(_ limits: Limits) {
    func count(_ time: Duration) -> Int64 { Int64(time.wholeMilliseconds) }
    head = count(limits.headTimeout)
    idle = count(limits.idleTimeout)
    bodyPause = count(limits.bodyPause)
    body = count(limits.bodyTimeout)
    handler = count(limits.handlerTimeout)
    write = count(limits.writeTimeout)
    heartbeat = count(limits.heartbeat)
    lifetime = count(limits.streamLifetime)
    linger = count(limits.lingerTimeout)
    retryAfter = Int((count(limits.retryAfter) + 999) / 1000)
  }

  /// The time in which this many bytes have to be transferred in either direction. Less than 17 KiB
  /// a second is too slow.
  func time(forBytes count: Int) -> Int64 { body * Int64(1 + count >> 20) }
}
