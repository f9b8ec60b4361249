import MartletJSON
import MartletSQLite

/// Encodes a row's stored values as bytes, such that rows with equal bytes are equal.
enum StoredRow {
  /// Appends the statement's current row. Each value is read in its own storage class, so that
  /// SQLite does not convert it (https://sqlite.org/c3ref/column_blob.html).
  static func append(_ statement: PreparedStatement, to buffer: ByteBuffer) {
    let handle = statement.handle
    for column in 0..<sqlite3_column_count(handle) {
      let type = sqlite3_column_type(handle, column)
      buffer.append(UInt8(truncatingIfNeeded: type))
      switch type {
      case SQLITE_NULL: break
      case SQLITE_INTEGER:
        append(UInt64(bitPattern: sqlite3_column_int64(handle, column)), to: buffer)
      case SQLITE_FLOAT: append(sqlite3_column_double(handle, column).bitPattern, to: buffer)
      default:
        let start = sqlite3_column_blob(handle, column)
        let count = Int(sqlite3_column_bytes(handle, column))
        // The length, so that the boundaries between values are unambiguous.
        append(UInt64(count), to: buffer)
        let bytes = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
        buffer.append(bytes.assumingMemoryBound(to: UInt8.self))
      }
    }
  }

  private static func append(_ word: UInt64, to buffer: ByteBuffer) {
    withUnsafeBytes(of: word) { buffer.append($0.assumingMemoryBound(to: UInt8.self)) }
  }
}
