import MartletSQLite

/// Reads what ``EntryWriter`` has written. Whatever the bytes are, it reads nothing outside of them
/// and throws ``ReplicationError/damaged``.
struct EntryReader {
  private let bytes: UnsafeRawBufferPointer
  /// The position of the next byte.
  private(set) var position: Int

  init(_ bytes: UnsafeRawBufferPointer, at position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  var isAtEnd: Bool { position == bytes.count }

  mutating func byte() throws(ReplicationError) -> UInt8 {
    guard position < bytes.count else { throw .damaged }
    defer { position += 1 }
    return bytes[position]
  }

  private mutating func varint() throws(ReplicationError) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      let next = try byte()
      // The tenth byte has room for one bit.
      guard shift < 63 || next <= 1 else { throw .damaged }
      value |= UInt64(next & 0x7f) << shift
      if next < 0x80 { return value }
    }
    throw .damaged
  }

  /// A number of things that follow, each of at least one byte.
  mutating func number() throws(ReplicationError) -> Int {
    let value = try varint()
    guard value <= UInt64(bytes.count - position) else { throw .damaged }
    return Int(value)
  }

  /// A number up to `limit`.
  mutating func index(below limit: Int) throws(ReplicationError) -> Int {
    let value = try varint()
    guard value < UInt64(limit) else { throw .damaged }
    return Int(value)
  }

  mutating func signed() throws(ReplicationError) -> Int64 {
    let value = try varint()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  mutating func fixed() throws(ReplicationError) -> UInt64 {
    guard bytes.count - position >= 8 else { throw .damaged }
    defer { position += 8 }
    return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  private mutating func content() throws(ReplicationError) -> UnsafeRawBufferPointer {
    let count = try number()
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
  }

  mutating func text() throws(ReplicationError) -> String {
    String(decoding: try content(), as: UTF8.self)
  }

  mutating func skipValue() throws(ReplicationError) {
    switch Int32(try byte()) {
    case SQLITE_INTEGER: _ = try varint()
    case SQLITE_FLOAT: _ = try fixed()
    case SQLITE_TEXT, SQLITE_BLOB: _ = try content()
    case SQLITE_NULL: break
    default: throw .damaged
    }
  }

  mutating func value() throws(ReplicationError) -> Value {
    switch Int32(try byte()) {
    case SQLITE_INTEGER: return .integer(try signed())
    case SQLITE_FLOAT: return .real(Double(bitPattern: try fixed()))
    case SQLITE_TEXT: return .text(try text())
    case SQLITE_BLOB: return .blob(Array(try content()))
    case SQLITE_NULL: return .null
    default: throw .damaged
    }
  }

  /// Binds the next value without copying it. The bytes must outlive the statement's next step, and
  /// the binding must be cleared afterwards.
  mutating func bind(to statement: PreparedStatement, at position: Int) throws {
    switch Int32(try byte()) {
    case SQLITE_INTEGER: try statement.bind(int64: try signed(), at: position)
    case SQLITE_FLOAT:
      try statement.bind(double: Double(bitPattern: try fixed()), at: position)
    case SQLITE_TEXT: try statement.bind(borrowedText: try content(), at: position)
    case SQLITE_BLOB: try statement.bind(borrowedBlob: try content(), at: position)
    case SQLITE_NULL: try statement.bindNull(at: position)
    default: throw ReplicationError.damaged
    }
  }
}
