import MartletJSON
import MartletQueryBuilder
import MartletSQLite
import MartletTime

/// Writes rows as JSON objects, directly from a statement's columns into a buffer.
///
/// Everything that does not depend on the row is computed once: the bytes `,"title":` before each
/// value, and the braces around groups of columns.
public final class JSONRows: Sendable {
  /// Contains no references, so that iterating over the columns of a row needs no retain.
  private struct Column: Sendable {
    /// The start of the bytes before the value, in `text`.
    var prefix: Int32
    var prefixCount: Int32
    var index: Int32
    var form: Form
  }
  private enum Form: Sendable {
    case integer, real, boolean, text, blob, json, jsonb, instant, stored, null
    /// The start of an optional group. If the next `columns` columns of the statement are all NULL,
    /// `null` is written and the output continues at `end`. `groupEnd` ends the group.
    case group(columns: Int32, end: Int32)
    case groupEnd
    /// Indices into `labels` and `marks`.
    case labels(Int32)
    case marked(Int32)
  }
  private let columns: [Column]
  /// All prefixes, the closing braces, and 8 bytes of padding for word-sized reads.
  private let text: [UInt8]
  private let suffix: Int32
  private let suffixCount: Int32
  /// For each column with labels, the JSON strings by stored number.
  private let labels: [[[UInt8]]]
  private let marks: [(before: String, after: String)]

  /// Prepares a writer for rows with these columns.
  public init(_ result: [ResultColumn]) {
    var columns: [Column] = []
    var labels: [[[UInt8]]] = []
    var marks: [(before: String, after: String)] = []
    // The open groups, and where the optional ones start in `columns`.
    var open: [(group: ResultGroup, start: Int?)] = []
    var isFirst = true
    // The statement column after the last visible one.
    var behind = 0
    let text = ByteBuffer(capacity: 64)
    var start = 0
    func add(_ form: Form, _ index: Int) {
      columns.append(
        Column(
          prefix: Int32(start), prefixCount: Int32(text.count - start), index: Int32(index),
          form: form))
      start = text.count
    }
    func closeGroups(downTo depth: Int) {
      while open.count > depth {
        text.append(UInt8(ascii: "}"))
        guard let begin = open.removeLast().start else { continue }
        columns[begin].form = .group(
          columns: Int32(behind) - columns[begin].index, end: Int32(columns.count + 1))
        add(.groupEnd, behind)
      }
    }
    for (index, column) in result.enumerated() where column.kind != .hidden {
      let common = zip(open, column.groups).prefix { $0.group == $1 }.count
      closeGroups(downTo: common)
      text.append(UInt8(ascii: isFirst ? "{" : ","))
      isFirst = false
      for group in column.groups[common...] {
        JSONWriter.string(group.name, into: text)
        text.append(UInt8(ascii: ":"))
        open.append((group, group.isOptional ? columns.count : nil))
        if group.isOptional { add(.groupEnd, index) }
        text.append(UInt8(ascii: "{"))
      }
      JSONWriter.string(column.name, into: text)
      text.append(UInt8(ascii: ":"))
      let form: Form =
        switch column.kind {
        case .integer: .integer
        case .real: .real
        case .boolean: .boolean
        case .text: .text
        case .blob: .blob
        case .json: .json
        case .jsonb: .jsonb
        case .instant: .instant
        case .stored: .stored
        case .labels: .labels(Int32(labels.count))
        case .marked: .marked(Int32(marks.count))
        // The columns of a group are listed individually, and hidden ones were skipped, so neither
        // occurs here.
        case .row, .hidden: .null
        }
      if case .labels(let words) = column.kind { labels.append(words.map(Self.quoted)) }
      if case .marked(let before, let after) = column.kind { marks.append((before, after)) }
      add(form, index)
      behind = index + 1
    }
    closeGroups(downTo: 0)
    suffix = Int32(start)
    text.append(isFirst ? "{}" : "}")
    suffixCount = Int32(text.count) - suffix
    self.text = Array(text.bytes) + [UInt8](repeating: 0, count: 8)
    self.columns = columns
    self.labels = labels
    self.marks = marks
  }

  /// Returns the writer for a query's rows, cached with the query if its SQL was printed in
  /// advance.
  static func of(_ query: Query) -> JSONRows {
    query.printed?.note { JSONRows(query.columns) } ?? JSONRows(query.columns)
  }

  private static func quoted(_ text: String) -> [UInt8] {
    let buffer = ByteBuffer(capacity: text.utf8.count + 2)
    JSONWriter.string(text, into: buffer)
    return Array(buffer.bytes)
  }

  /// Appends the statement's current row as a JSON object.
  public func write(_ statement: PreparedStatement, into buffer: ByteBuffer) {
    let handle = statement.handle
    text.withUnsafeBufferPointer { text in
      // Never empty, because it ends with padding.
      let text = text.baseAddress.unsafelyUnwrapped
      columns.withUnsafeBufferPointer { columns in
        var next = 0
        while next < columns.count {
          let column = columns[next]
          next += 1
          buffer.append(padded: text + Int(column.prefix), count: Int(column.prefixCount))
          if case .group(let count, let end) = column.form {
            guard isNull(handle, column.index, count) else { continue }
            buffer.append("null")
            next = Int(end)
          } else {
            write(column.form, column.index, of: handle, into: buffer)
          }
        }
      }
      buffer.append(padded: text + Int(suffix), count: Int(suffixCount))
    }
  }

  @inline(__always)
  private func write(
    _ form: Form, _ column: Int32, of handle: OpaquePointer, into buffer: ByteBuffer
  ) {
    switch form {
    case .integer:
      if let value = integer(handle, column) {
        buffer.append(decimal: Int(value))
      } else {
        buffer.append("null")
      }
    case .boolean:
      switch integer(handle, column) {
      case nil: buffer.append("null")
      case 0?: buffer.append("false")
      case _?: buffer.append("true")
      }
    case .labels(let number):
      let words = labels[Int(number)]
      if let value = integer(handle, column) {
        if value >= 0, value < words.count {
          buffer.append(words[Int(value)])
        } else {
          buffer.append(decimal: Int(value))
        }
      } else {
        buffer.append("null")
      }
    case .text: text(handle, column, buffer) { JSONWriter.string(repairing: $0, into: buffer) }
    case .json: text(handle, column, buffer) { JSONWriter.json(repairing: $0, into: buffer) }
    case .instant: text(handle, column, buffer) { instant($0, into: buffer) }
    case .marked(let number):
      let (before, after) = marks[Int(number)]
      text(handle, column, buffer) {
        MarkedText.append($0, before: before, after: after, to: buffer)
      }
    case .real:
      if sqlite3_column_type(handle, column) == SQLITE_NULL {
        buffer.append("null")
      } else {
        JSONWriter.double(sqlite3_column_double(handle, column), into: buffer)
      }
    case .blob: blob(handle, column, buffer)
    case .jsonb: binaryJSON(handle, column, buffer)
    case .stored: stored(handle, column, buffer)
    case .null: buffer.append("null")
    case .group, .groupEnd: break
    }
  }

  private func isNull(_ handle: OpaquePointer, _ first: Int32, _ count: Int32) -> Bool {
    (first..<first + count).allSatisfy { sqlite3_column_type(handle, $0) == SQLITE_NULL }
  }

  /// Writes the value in the form of its storage class.
  private func stored(_ handle: OpaquePointer, _ column: Int32, _ buffer: ByteBuffer) {
    let form: Form =
      switch sqlite3_column_type(handle, column) {
      case SQLITE_INTEGER: .integer
      case SQLITE_FLOAT: .real
      case SQLITE_TEXT: .text
      default: .blob
      }
    write(form, column, of: handle, into: buffer)
  }

  /// Writes JSONB as JSON. Bytes that are not valid JSONB are written as base64, like other blobs.
  private func binaryJSON(_ handle: OpaquePointer, _ column: Int32, _ buffer: ByteBuffer) {
    guard sqlite3_column_type(handle, column) == SQLITE_BLOB else {
      return text(handle, column, buffer) { JSONWriter.json(repairing: $0, into: buffer) }
    }
    let bytes = UnsafeRawBufferPointer(
      start: sqlite3_column_blob(handle, column), count: Int(sqlite3_column_bytes(handle, column)))
    guard let json = jsonText(ofJSONB: Array(bytes)) else { return blob(handle, column, buffer) }
    buffer.append(utf8: json)
  }

  /// NULL reads as 0, so the type is only checked for 0.
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

  /// Writes `2026-11-20 15:36:00.123` as `2026-11-20T15:36:00.123Z`; a date without a time stays
  /// unchanged.
  private func instant(_ text: UnsafeBufferPointer<UInt8>, into buffer: ByteBuffer) {
    guard text.count == SQLiteTime.length, text[10] == UInt8(ascii: " "),
      JSONWriter.isPlain(text)
    else { return JSONWriter.string(repairing: text, into: buffer) }
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
