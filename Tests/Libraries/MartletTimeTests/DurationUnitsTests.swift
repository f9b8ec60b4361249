import Testing

@testable import MartletTime

@Suite struct DurationUnitsTests {
  @Test(
    arguments: [
      (.zero, 0, 0), (.milliseconds(1), 1, 1_000_000), (.nanoseconds(1_999_999), 1, 1_999_999),
      (.seconds(86_400 * 365), 31_536_000_000, 31_536_000_000_000_000),
      (.milliseconds(-5), -5, 0),
      // The attoseconds no longer fit in 64 bits.
      (Duration(attoseconds: Int128(UInt64.max)), 18_446, 18_446_744_073),
      (Duration(attoseconds: Int128(UInt64.max) + 1), 18_446, 18_446_744_073),
      (Duration(attoseconds: -1), 0, 0), (Duration(attoseconds: 999_999_999), 0, 0),
      (Duration(secondsComponent: .max, attosecondsComponent: 0), .max, .max),
      (Duration(secondsComponent: .min, attosecondsComponent: 0), .min, 0),
    ] as [(Duration, Int, UInt64)])
  func units(_ duration: Duration, _ milliseconds: Int, _ nanoseconds: UInt64) {
    #expect(duration.wholeMilliseconds == milliseconds)
    #expect(duration.wholeNanoseconds == nanoseconds)
  }
}
