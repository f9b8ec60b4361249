import MartletSQLite

/// Writes the bytes of a ``RowEntry``.
///
/// Numbers are varints of seven bits per byte, the lowest first; signed ones are zigzag encoded.
/// Texts and blobs have their length before them. A value begins with SQLite's code of its type
/// (https://sqlite.org/c3ref/c_blob.html).
struct EntryWriter {
  private(set) var bytes: [UInt8] = []

  mutating func byte(_ value: UInt8) { bytes.append(value) }

  mutating func number(_ value: Int) {
    varint(UInt64(value))
  }

  mutating func signed(_ value: Int64) {
    varint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func fixed(_ value: UInt64) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func text(_ text: String) {
    number(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  mutating func value(_ value: Value) {
    switch value {
    case .integer(let integer):
      byte(UInt8(SQLITE_INTEGER))
      signed(integer)
    case .real(let real):
      byte(UInt8(SQLITE_FLOAT))
      fixed(real.bitPattern)
    case .text(let text):
      byte(UInt8(SQLITE_TEXT))
      self.text(text)
    case .blob(let blob):
      byte(UInt8(SQLITE_BLOB))
      number(blob.count)
      bytes.append(contentsOf: blob)
    case .null: byte(UInt8(SQLITE_NULL))
    }
  }

  /// Writes a column of a statement's current row as it is stored.
  mutating func column(_ index: Int, of statement: PreparedStatement) {
    switch statement.storage(at: index) {
    case .integer:
      byte(UInt8(SQLITE_INTEGER))
      signed(statement.int64(at: index))
    case .real:
      byte(UInt8(SQLITE_FLOAT))
      fixed(statement.double(at: index).bitPattern)
    case .text:
      byte(UInt8(SQLITE_TEXT))
      content(statement.textBytes(at: index).map { UnsafeRawBufferPointer($0) })
    case .blob:
      byte(UInt8(SQLITE_BLOB))
      content(statement.blobBytes(at: index))
    case .null: byte(UInt8(SQLITE_NULL))
    }
  }

  private mutating func content(_ content: UnsafeRawBufferPointer?) {
    number(content?.count ?? 0)
    if let content { bytes.append(contentsOf: content) }
  }
}
