/// The body of a request to a dqlite node. Everything is aligned to eight bytes, and numbers are
/// little endian (https://dqlite.io/docs/reference/wire-protocol).
struct WireRequest {
  let type: UInt8
  private(set) var bytes: [UInt8] = []

  init(_ type: RequestType) { self.type = type.rawValue }

  /// The requests that this program makes.
  enum RequestType: UInt8 {
    case leader = 0
    case open = 3
    case prepare = 4
    case exec = 5
    case query = 6
    case execSQL = 8
    case querySQL = 9
    case add = 12
    case assign = 13
    case remove = 14
    case cluster = 16
    case transfer = 17
  }

  mutating func number(_ value: UInt64) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func half(_ value: UInt32) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func text(_ text: String) {
    bytes.append(contentsOf: text.utf8)
    bytes.append(0)
    align()
  }

  /// The values of the parameters of a statement, at most 255.
  mutating func parameters(_ values: [WireValue]) {
    guard !values.isEmpty else { return }
    bytes.append(UInt8(values.count))
    for value in values { bytes.append(value.code) }
    align()
    for value in values {
      switch value {
      case .null: number(0)
      case .integer(let integer): number(UInt64(bitPattern: integer))
      case .text(let text): self.text(text)
      case .blob(let blob):
        number(UInt64(blob.count))
        bytes.append(contentsOf: blob)
        align()
      }
    }
  }

  private mutating func align() {
    while bytes.count % 8 != 0 { bytes.append(0) }
  }

  /// The message with its header: the number of words, the type and three zeros.
  var message: [UInt8] {
    var message: [UInt8] = []
    message.reserveCapacity(bytes.count + 8)
    withUnsafeBytes(of: UInt32(bytes.count / 8).littleEndian) { message.append(contentsOf: $0) }
    message += [type, 0, 0, 0]
    message += bytes
    return message
  }
}

/// A value of a statement.
enum WireValue: Sendable, Equatable {
  case null
  case integer(Int64)
  case text(String)
  case blob([UInt8])

  fileprivate var code: UInt8 {
    switch self {
    case .integer: 1
    case .text: 3
    case .blob: 4
    case .null: 5
    }
  }

  var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  var text: String? { if case .text(let value) = self { value } else { nil } }
  var blob: [UInt8]? { if case .blob(let value) = self { value } else { nil } }
}

/// The body of an answer.
struct WireAnswer {
  /// The answers that this program reads.
  enum AnswerType: UInt8 {
    case failure = 0
    case node = 1
    case nodes = 3
    case database = 4
    case statement = 5
    case result = 6
    case rows = 7
    case empty = 8
  }

  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private mutating func take(_ count: Int) throws(ClusterError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= bytes.count - position else {
      throw .violation("an answer of the log is cut off")
    }
    defer { position += count }
    return bytes[position..<position + count]
  }

  mutating func number() throws(ClusterError) -> UInt64 {
    try take(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func half() throws(ClusterError) -> UInt32 {
    try take(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  mutating func text() throws(ClusterError) -> String {
    guard let end = bytes[position...].firstIndex(of: 0) else {
      throw .violation("a text of the log does not end")
    }
    defer { position = min((end + 8) & ~7, bytes.count) }
    return String(decoding: bytes[position..<end], as: UTF8.self)
  }

  private mutating func blob() throws(ClusterError) -> [UInt8] {
    let count = Int(clamping: try number())
    let blob = Array(try take(count))
    position = min((position + 7) & ~7, bytes.count)
    return blob
  }

  /// The end of the rows of a message.
  enum EndOfRows { case noMore, more }

  /// Reads rows of values to the end of this message.
  mutating func rows(into rows: inout [[WireValue]]) throws(ClusterError) -> EndOfRows {
    let count = Int(clamping: try number())
    guard (1...64).contains(count) else { throw .violation("\(count) columns in an answer") }
    for _ in 0..<count { _ = try text() }
    // Four bits for the type of each column, filled up to eight bytes.
    let header = ((count + 1) / 2 + 7) & ~7
    while true {
      let start = position
      switch try number() {
      case 0xffff_ffff_ffff_ffff: return .noMore
      case 0xeeee_eeee_eeee_eeee: return .more
      default: position = start
      }
      let types = Array(try take(header))
      var row: [WireValue] = []
      for column in 0..<count {
        let type = column % 2 == 0 ? types[column / 2] & 15 : types[column / 2] >> 4
        switch type {
        case 1: row.append(.integer(Int64(bitPattern: try number())))
        case 3: row.append(.text(try text()))
        case 4: row.append(.blob(try blob()))
        case 5:
          _ = try number()
          row.append(.null)
        default: throw .violation("a value of type \(type) in an answer")
        }
      }
      rows.append(row)
    }
  }
}
