import JSON
import QueryBuilder
import SQLite
import Time

/// Writes rows as JSON objects, straight from the statement's columns into a buffer.
///
/// Everything that does not depend on the row is put together once: before each value stand the bytes
/// `,"title":`, and where a group of columns begins or ends, the braces around it.
public struct JSONRows: Sendable {
  private struct Column: Sendable {
    /// What stands before the value.
    var prefix: [UInt8]
    var kind: ColumnKind
    /// For labels: the JSON strings by stored number.
    var labels: [[UInt8]] = []
    var index: Int32
  }
  private let columns: [Column]
  private let suffix: [UInt8]

  public init(_ result: [ResultColumn]) {
    var columns: [Column] = []
    var open: [String] = []
    for (index, column) in result.enumerated() where column.kind != .hidden {
      let common = zip(open, column.groups).prefix { $0 == $1 }.count
      let prefix = ByteBuffer(capacity: 32)
      for _ in common..<open.count { prefix.append(UInt8(ascii: "}")) }
      prefix.append(UInt8(ascii: columns.isEmpty ? "{" : ","))
      for group in column.groups[common...] {
        JSONWriter.string(group, into: prefix)
        prefix.append(":{")
      }
      JSONWriter.string(column.name, into: prefix)
      prefix.append(UInt8(ascii: ":"))
      open = column.groups
      var written = Column(prefix: Array(prefix.bytes), kind: column.kind, index: Int32(index))
      if case .labels(let labels) = column.kind { written.labels = labels.map(Self.quoted) }
      columns.append(written)
    }
    self.columns = columns
    suffix = Array(repeating: UInt8(ascii: "}"), count: open.count + 1)
  }

  /// The writer for a query's rows; put together once for one that was prepared.
  static func of(_ query: Query) -> JSONRows {
    query.printed?.note { JSONRows(query.columns) } ?? JSONRows(query.columns)
  }

  private static func quoted(_ text: String) -> [UInt8] {
    let buffer = ByteBuffer(capacity: text.utf8.count + 2)
    JSONWriter.string(text, into: buffer)
    return Array(buffer.bytes)
  }

  /// Appends the statement's current row as an object.
  public func write(_ statement: SQLite.Statement, into buffer: ByteBuffer) {
    let handle = statement.handle
    for column in columns {
      buffer.append(column.prefix)
      write(column, of: handle, into: buffer)
    }
    if columns.isEmpty { buffer.append(UInt8(ascii: "{")) }
    buffer.append(suffix)
  }

  @inline(__always)
  private func write(_ column: Column, of handle: OpaquePointer, into buffer: ByteBuffer) {
    switch column.kind {
    case .integer:
      if let value = integer(handle, column.index) {
        buffer.append(decimal: Int(value))
      } else {
        buffer.append("null")
      }
    case .boolean:
      switch integer(handle, column.index) {
      case nil: buffer.append("null")
      case 0?: buffer.append("false")
      case _?: buffer.append("true")
      }
    case .labels:
      if let value = integer(handle, column.index) {
        if value >= 0, value < column.labels.count {
          buffer.append(column.labels[Int(value)])
        } else {
          buffer.append(decimal: Int(value))
        }
      } else {
        buffer.append("null")
      }
    case .text: text(handle, column.index, buffer) { JSONWriter.string($0, into: buffer) }
    case .json: text(handle, column.index, buffer) { buffer.append($0) }
    case .instant: text(handle, column.index, buffer) { instant($0, into: buffer) }
    case .marked(let before, let after):
      text(handle, column.index, buffer) {
        MarkedText.append($0, before: before, after: after, to: buffer)
      }
    case .real:
      if sqlite3_column_type(handle, column.index) == SQLITE_NULL {
        buffer.append("null")
      } else {
        JSONWriter.double(sqlite3_column_double(handle, column.index), into: buffer)
      }
    case .blob: blob(handle, column.index, buffer)
    case .jsonb: binaryJSON(handle, column.index, buffer)
    // A group's columns stand in the result one by one; a hidden one was left out.
    case .row, .hidden: buffer.append("null")
    }
  }

  /// What is not JSONB, although its column says so, is base64 as other bytes are.
  private func binaryJSON(_ handle: OpaquePointer, _ column: Int32, _ buffer: ByteBuffer) {
    guard sqlite3_column_type(handle, column) == SQLITE_BLOB else {
      return text(handle, column, buffer) { buffer.append($0) }
    }
    let bytes = UnsafeRawBufferPointer(
      start: sqlite3_column_blob(handle, column), count: Int(sqlite3_column_bytes(handle, column)))
    guard let json = jsonText(ofJSONB: Array(bytes)) else { return blob(handle, column, buffer) }
    buffer.append(utf8: json)
  }

  /// NULL reads as 0: the type is asked for only then.
  @inline(__always)
  private func integer(_ handle: OpaquePointer, _ column: Int32) -> Int64? {
    let value = sqlite3_column_int64(handle, column)
    return value == 0 && sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : value
  }

  @inline(__always)
  private func text(
    _ handle: OpaquePointer, _ column: Int32, _ buffer: ByteBuffer,
    _ write: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    guard let text = sqlite3_column_text(handle, column) else {
      buffer.append("null")
      return
    }
    write(UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(handle, column))))
  }

  /// `2026-11-20 15:36:00.123` leaves as `2026-11-20T15:36:00.123Z`; a bare date as it is.
  private func instant(_ text: UnsafeBufferPointer<UInt8>, into buffer: ByteBuffer) {
    guard text.count == SQLiteTime.length, text[10] == UInt8(ascii: " ") else {
      JSONWriter.string(text, into: buffer)
      return
    }
    buffer.append(UInt8(ascii: "\""))
    buffer.append(UnsafeBufferPointer(rebasing: text[..<10]))
    buffer.append(UInt8(ascii: "T"))
    buffer.append(UnsafeBufferPointer(rebasing: text[11...]))
    buffer.append("Z\"")
  }

  private func blob(_ handle: OpaquePointer, _ column: Int32, _ buffer: ByteBuffer) {
    guard sqlite3_column_type(handle, column) != SQLITE_NULL else {
      buffer.append("null")
      return
    }
    let start = sqlite3_column_blob(handle, column)
    let count = start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))
    buffer.append(UInt8(ascii: "\""))
    Base64.append(UnsafeRawBufferPointer(start: start, count: count), to: buffer)
    buffer.append(UInt8(ascii: "\""))
  }
}
