import CMartletSQLite

/// Stands for a value where only equality counts: values that SQLite takes for equal in a column have the
/// same key. Different ones have different keys, but for a rare accident.
public struct ValueKey: Hashable, Sendable {
  public let bits: UInt64

  public static let null = ValueKey(kind: 0, 0)

  private init(kind: UInt64, _ bits: UInt64) {
    var hash = FNV1a()
    hash.add(kind)
    hash.add(bits)
    self.bits = hash.value
  }

  public init(integer: Int64) { self.init(kind: 1, UInt64(bitPattern: integer)) }

  /// A whole number is the same as an integer.
  public init(real: Double) {
    if let integer = Int64(exactly: real) {
      self.init(integer: integer)
    } else {
      self.init(kind: 2, real.bitPattern)
    }
  }

  public init(text: some Sequence<UInt8>, _ collation: Collation) {
    var hash = FNV1a()
    switch collation {
    case .binary: for byte in text { hash.add(byte) }
    case .nocase:
      // Nor does it look beyond a NUL.
      for byte in text {
        if byte == 0 { break }
        hash.add(byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte)
      }
    case .rtrim:
      // A space counts once something else comes behind it.
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

  public init(blob: some Sequence<UInt8>) {
    var hash = FNV1a()
    for byte in blob { hash.add(byte) }
    self.init(kind: 4, hash.value)
  }

  public init(_ value: Value, _ collation: Collation) {
    switch value {
    case .null: self = .null
    case .integer(let integer): self.init(integer: integer)
    case .real(let real): self.init(real: real)
    case .text(let text): self.init(text: text.utf8, collation)
    case .blob(let bytes): self.init(blob: bytes)
    }
  }

  /// Of a value that SQLite holds, without copying it.
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

  /// SQLite's own collations (https://sqlite.org/datatype3.html#collating_sequences). Of others it is not
  /// known what they take for equal.
  public enum Collation: String, Sendable {
    case binary = "BINARY"
    case nocase = "NOCASE"
    case rtrim = "RTRIM"
  }
}

extension PreparedStatement {
  /// The key of a value of the current row.
  public func key(at column: Int, _ collation: ValueKey.Collation) -> ValueKey {
    sqlite3_column_value(handle, Int32(column)).map { ValueKey($0, collation) } ?? .null
  }
}
