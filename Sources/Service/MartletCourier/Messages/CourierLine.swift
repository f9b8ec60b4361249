import MartletJSON

/// The lines between the server and the courier's process: JSON objects in UTF-8.
///
/// The first line to the process has the settings; it answers that it is ready, or why not. Then
/// each line to it is an order, and each line from it the result of the order with that ID.
enum CourierLine {
  /// The longest line to the process: a body in Base64, fields, and escapes.
  static let longestRequest = 1 << 20
  /// The longest line from the process.
  static let longestReport = 16 << 10

  /// A line to the process, after the first.
  enum Order {
    case send(CourierRequest)
    /// Make a key pair for push services.
    case makeKey
  }

  /// A line from the process.
  enum Report: Hashable {
    case ready
    /// The process cannot work, and ends.
    case unable(String)
    case result(id: UInt64, CourierResult)
    case key(id: UInt64, VAPIDKey)
  }

  /// The object as a line.
  static func bytes(_ members: JSONObject) -> [UInt8] {
    Array("\(JSONValue.object(members))\n".utf8)
  }
}

extension Duration {
  /// A duration as it stands in a line.
  init?(milliseconds value: JSONValue?) {
    guard let number = value?.int64, number >= 0, number < 1 << 40 else { return nil }
    self = .milliseconds(number)
  }
}

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
