/// Writes fixed-width decimal fields without allocating.
enum Digits {
  @inline(__always)
  static func write(two value: Int, to bytes: UnsafeMutablePointer<UInt8>) {
    bytes[0] = UInt8(truncatingIfNeeded: value / 10) &+ 0x30
    bytes[1] = UInt8(truncatingIfNeeded: value % 10) &+ 0x30
  }

  @inline(__always)
  static func write(three value: Int, to bytes: UnsafeMutablePointer<UInt8>) {
    bytes[0] = UInt8(truncatingIfNeeded: value / 100) &+ 0x30
    write(two: value % 100, to: bytes + 1)
  }

  @inline(__always)
  static func write(four value: Int, to bytes: UnsafeMutablePointer<UInt8>) {
    write(two: value / 100, to: bytes)
    write(two: value % 100, to: bytes + 2)
  }

  /// Writes `HH:mm:ss`, eight bytes.
  @inline(__always)
  static func write(clock time: CivilTime, to bytes: UnsafeMutablePointer<UInt8>) {
    write(two: time.hour, to: bytes)
    bytes[2] = UInt8(ascii: ":")
    write(two: time.minute, to: bytes + 3)
    bytes[5] = UInt8(ascii: ":")
    write(two: time.second, to: bytes + 6)
  }

  /// Writes `yyyy-MM-dd?HH:mm:ss.SSS`, 23 bytes: the common part of RFC 3339's and SQLite's
  /// formats. Instants without a four-digit year are clamped to the nearest that has one.
  @inline(__always)
  static func write(
    _ instant: Instant, separator: UInt8, to bytes: UnsafeMutablePointer<UInt8>
  ) {
    let time = CivilTime(min(max(instant, .earliest), .latest))
    time.date.write(to: bytes)
    bytes[10] = separator
    write(clock: time, to: bytes + 11)
    bytes[19] = UInt8(ascii: ".")
    write(three: time.millisecond, to: bytes + 20)
  }
}
