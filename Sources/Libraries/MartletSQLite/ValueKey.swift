import CMartletSQLite

/// A hash that stands for a value in comparisons for equality. Values that a column treats as equal
/// have the same key. Different values have different keys, except for a rare collision.
public struct ValueKey: Hashable, Sendable {
  /// The 64 bits of the hash.
  public let bits: UInt64

  /// The key of NULL.
  public static let null = ValueKey(kind: 0, 0)

  private init(kind: UInt64, _ bits: UInt64) {
    var hash = FNV1a()
    hash.add(kind)
    hash.add(bits)
    self.bits = hash.value
  }

  /// The key of an integer.
  public init(integer: Int64) { self.init(kind: 1, UInt64(bitPattern: integer)) }

  /// The key of a real. A whole number has the key of the integer.
  public init(real: Double) {
    if let integer = Int64(exactly: real) {
      self.init(integer: integer)
    } else {
      self.init(kind: 2, real.bitPattern)
    }
  }

  /// The key of a text's UTF-8 bytes under a collation.
  public init(text: some Sequence<UInt8>, _ collation: Collation) {
    var hash = FNV1a()
    switch collation {
    case .binary: for byte in text { hash.add(byte) }
    case .nocase:
      // Like SQLite's, the comparison ends at a NUL.
      for byte in text {
        if byte == 0 { break }
        hash.add(byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte)
      }
    case .rtrim:
      // Trailing spaces are ignored, so spaces count only if another byte follows.
      var spaces = 0
      for byte in text {
        if byte == 0x20 {
          spaces += 1
          continue
        }
        for _ in 0..<spaces { hash.add(0x20 as UInt8) }
        spaces = 0
        hash.add(byte)
      }
    }
    self.init(kind: 3, hash.value)
  }

  /// The key of a blob.
  public init(blob: some Sequence<UInt8>) {
    var hash = FNV1a()
    for byte in blob { hash.add(byte) }
    self.init(kind: 4, hash.value)
  }

  /// The key of a value; the collation applies to texts.
  public init(_ value: Value, _ collation: Collation) {
    switch value {
    case .null: self = .null
    case .integer(let integer): self.init(integer: integer)
    case .real(let real): self.init(real: real)
    case .text(let text): self.init(text: text.utf8, collation)
    case .blob(let bytes): self.init(blob: bytes)
    }
  }

  /// The key of a `sqlite3_value`, without copying it.
  init(_ value: OpaquePointer, _ collation: Collation) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: self.init(integer: sqlite3_value_int64(value))
    case SQLITE_FLOAT: self.init(real: sqlite3_value_double(value))
    case SQLITE_TEXT:
      let start = sqlite3_value_text(value)
      let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
      self.init(text: bytes, collation)
    case SQLITE_BLOB:
      let bytes = UnsafeRawBufferPointer(
        start: sqlite3_value_blob(value), count: Int(sqlite3_value_bytes(value)))
      self.init(blob: bytes)
    default: self = .null
    }
  }

  /// SQLite's built-in collations (https://sqlite.org/datatype3.html#collating_sequences). It is
  /// unknown which texts a custom collation treats as equal.
  public enum Collation: String, Sendable {
    /// Compares bytes.
    case binary = "BINARY"
    /// Ignores the case of ASCII letters.
    case nocase = "NOCASE"
    /// Ignores trailing spaces.
    case rtrim = "RTRIM"
  }
}

extension PreparedStatement {
  /// The key of a column's value in the current row.
  public func key(at column: Int, _ collation: ValueKey.Collation) -> ValueKey {
    sqlite3_column_value(handle, Int32(column)).map { ValueKey($0, collation) } ?? .null
  }
}
