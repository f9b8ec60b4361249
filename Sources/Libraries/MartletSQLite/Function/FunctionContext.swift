import CMartletSQLite

/// The `sqlite3_context` of one call, which receives the result
/// (https://sqlite.org/c3ref/result_blob.html).
struct FunctionContext {
  let handle: OpaquePointer

  func answer(_ value: Value) {
    switch value {
    case .integer(let integer): sqlite3_result_int64(handle, integer)
    case .real(let real): sqlite3_result_double(handle, real)
    case .text(var text):
      text.withUTF8 { utf8 in
        guard let start = utf8.baseAddress else { return sqlite3_result_text(handle, "", 0, nil) }
        start.withMemoryRebound(to: CChar.self, capacity: utf8.count) {
          sqlite3_result_text64(handle, $0, UInt64(utf8.count), transient, UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let bytes):
      bytes.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
          return sqlite3_result_zeroblob(handle, 0)
        }
        sqlite3_result_blob64(handle, start, UInt64(bytes.count), transient)
      }
    case .null: sqlite3_result_null(handle)
    }
  }

  func fail(_ message: String) {
    var message = message
    message.withUTF8 { utf8 in
      guard let start = utf8.baseAddress else { return sqlite3_result_error(handle, "", 0) }
      start.withMemoryRebound(to: CChar.self, capacity: utf8.count) {
        sqlite3_result_error(handle, $0, Int32(clamping: utf8.count))
      }
    }
  }

  /// The memory in which an aggregate stores its instance between rows: one pointer, initially
  /// null. Returns `nil` if out of memory, or without `create` if no row has been added yet.
  func instance(create: Bool) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
    let size = create ? Int32(MemoryLayout<UnsafeMutableRawPointer?>.size) : 0
    return sqlite3_aggregate_context(handle, size)?
      .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }
}

extension Value {
  /// Copies a `sqlite3_value` (https://sqlite.org/c3ref/value_blob.html).
  init(copying value: OpaquePointer) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
      guard let start = sqlite3_value_text(value) else {
        self = .null
        return
      }
      let count = Int(sqlite3_value_bytes(value))
      self = .text(String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
    case SQLITE_BLOB:
      let start = sqlite3_value_blob(value)
      let count = start == nil ? 0 : Int(sqlite3_value_bytes(value))
      self = .blob(Array(UnsafeRawBufferPointer(start: start, count: count)))
    default: self = .null
    }
  }
}
