import MartletTime

/// The header field `Retry-After` (RFC 9110 section 10.2.3).
enum RetryAfter {
  /// No server can delay the next attempt longer.
  static let longest: Duration = .seconds(86_400)

  /// Reads the field's value: seconds, or a date. Returns `nil` if it is invalid.
  static func parse(_ text: String, now: Instant) -> Duration? {
    if let number = text.wholeMatch(of: #/[ \t]*([0-9]+)[ \t]*/#)?.1 {
      // A number that does not fit is more than a day in any case.
      return min(Int64(number).map { .seconds($0) } ?? longest, longest)
    }
    guard let date = HTTPDate.parse(text) else { return nil }
    return min(.milliseconds(max(date.milliseconds - now.milliseconds, 0)), longest)
  }
}
