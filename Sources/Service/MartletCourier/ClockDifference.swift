import MartletTime

/// The header field `Date` (RFC 9110 section 6.6.1), compared with the clock of this machine.
///
/// A push service refuses tokens whose times do not fit, and does not always say why.
enum ClockDifference {
  /// Differences up to this are normal.
  private static let limit: Int64 = 300

  /// Reads the field's value. Returns how far it is ahead, in whole seconds; `nil` if the clocks
  /// agree or the value is invalid.
  static func parse(_ text: String, now: Instant) -> Duration? {
    guard let date = HTTPDate.parse(text) else { return nil }
    let seconds = (date.milliseconds - now.milliseconds) / 1000
    return abs(seconds) > limit ? .seconds(seconds) : nil
  }
}
