extension Instant {
  /// The instant after a duration, in whole milliseconds.
  package func adding(_ duration: Duration) -> Instant {
    adding(milliseconds: Int64(duration.wholeMilliseconds))
  }
}

// Limits are durations, but event loops and queues count whole units.
extension Duration {
  /// The duration in milliseconds, rounded toward zero and clamped to the range of `Int`.
  package var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000)
    if overflows { return seconds < 0 ? .min : .max }
    return Int(whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000).partialValue)
  }

  /// The duration in nanoseconds, rounded down and clamped to the range of `UInt64`.
  package var wholeNanoseconds: UInt64 {
    // Up to 18 seconds, as in nearly all measurements, this avoids a 128-bit division.
    if let attoseconds = UInt64(exactly: attoseconds) { return attoseconds / 1_000_000_000 }
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (whole, overflows) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return overflows ? .max : whole + UInt64(attoseconds) / 1_000_000_000
  }
}
