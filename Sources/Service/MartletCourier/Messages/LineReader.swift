/// Splits bytes into lines.
struct LineReader {
  /// A line was longer than the limit.
  struct TooLong: Error {}

  private let limit: Int
  private var rest: [UInt8] = []

  /// - Parameter limit: The most bytes of a line.
  init(limit: Int) { self.limit = limit }

  /// Takes more bytes and returns the lines that they complete, without the ends of the lines.
  mutating func lines(_ bytes: some Collection<UInt8>) throws(TooLong) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var bytes = bytes[...]
    while let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
      let line = rest + bytes[..<end]
      guard line.count <= limit else { throw TooLong() }
      lines.append(line)
      rest = []
      bytes = bytes[bytes.index(after: end)...]
    }
    rest += bytes
    guard rest.count <= limit else { throw TooLong() }
    return lines
  }
}
