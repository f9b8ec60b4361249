import CMartletSystem
import Dispatch
import Glibc
import Synchronization

/// An alarm on `CLOCK_REALTIME`: a timerfd, which also reports that the clock was set
/// (timerfd_create(2), `TFD_TIMER_CANCEL_ON_SET`). After a suspend it fires on resume.
final class SystemAlarm: Alarm {
  private let descriptor: Int32
  private let source: Mutex<any DispatchSourceRead>

  init(_ ring: @escaping @Sendable (AlarmReason) -> Void) {
    let descriptor = timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
    precondition(descriptor >= 0, "timerfd_create failed: \(String(cString: strerror(errno)))")
    self.descriptor = descriptor
    let source = DispatchSource.makeReadSource(
      fileDescriptor: descriptor, queue: DispatchQueue(label: "alarm"))
    source.setEventHandler {
      var count: UInt64 = 0
      let size = read(descriptor, &count, MemoryLayout<UInt64>.size)
      if size > 0 { return ring(.isDue) }
      if errno == ECANCELED { ring(.clockWasSet) }
    }
    source.setCancelHandler { close(descriptor) }
    source.resume()
    self.source = Mutex(source)
  }

  deinit { source.withLock { $0.cancel() } }

  func set(_ instant: Instant?) {
    // Without an instant the timer waits for one that never comes, to be notified if the clock is
    // set.
    let milliseconds = instant?.milliseconds ?? .max
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    // 0 would disarm the timer.
    let time = itimerspec(
      it_interval: timespec(),
      it_value: timespec(
        tv_sec: Int(max(seconds, 0)), tv_nsec: seconds > 0 ? Int(rest) * 1_000_000 : 1))
    let flags = Int32(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
    let result = withUnsafePointer(to: time) { timerfd_settime(descriptor, flags, $0, nil) }
    // `ECANCELED` reports that the clock was set since the last call. The timer is armed anyway,
    // and the descriptor reports the change too.
    precondition(result == 0 || errno == ECANCELED, "timerfd_settime failed")
  }
}
