// Limits are durations; event loops and queues count in whole units of one clock.
extension Duration {
  /// Rounded down, and not beyond what an `Int` holds.
  package var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000)
    if overflows { return seconds < 0 ? .min : .max }
    return Int(whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000).partialValue)
  }

  /// Rounded down; 0 for what is negative, and not beyond what a `UInt64` holds.
  package var wholeNanoseconds: UInt64 {
    // Up to 18 seconds, as nearly all that is measured: without a division of 128 bits.
    if let attoseconds = UInt64(exactly: attoseconds) { return attoseconds / 1_000_000_000 }
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (whole, overflows) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return overflows ? .max : whole + UInt64(attoseconds) / 1_000_000_000
  }
}
