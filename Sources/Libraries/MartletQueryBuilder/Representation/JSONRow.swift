/// A row of JSON values, behind the same functions as a row of a statement. The code that reads
/// rows of SQLite can thus read the objects of `json_group_array(json_object(…))`.
///
/// Booleans are numbers, as SQLite stores them, bytes are hexadecimal text, and nested JSON is
/// text.
private final class JSONRow {
  private let values: [StoredJSON]
  /// Bytes that were returned to the reader. They live as long as the row.
  private var buffers: [UnsafeMutableBufferPointer<UInt8>] = []
  private var counts: [Int32: Int32] = [:]

  init(_ values: [StoredJSON]) { self.values = values }
  deinit { for buffer in buffers { buffer.deallocate() } }

  static let access = ColumnAccess(
    type: { JSONRow.at($0).type($1) }, int: { JSONRow.at($0).int($1) },
    double: { JSONRow.at($0).double($1) }, text: { JSONRow.at($0).text($1) },
    blob: { JSONRow.at($0).blob($1) }, bytes: { JSONRow.at($0).counts[$1] ?? 0 })

  var reader: RowReader {
    RowReader(
      statement: OpaquePointer(Unmanaged.passUnretained(self).toOpaque()), access: Self.access)
  }

  private static func at(_ statement: OpaquePointer?) -> JSONRow {
    guard let statement else { preconditionFailure("a row's reader always holds its row") }
    return Unmanaged.fromOpaque(UnsafeRawPointer(statement)).takeUnretainedValue()
  }

  private func type(_ column: Int32) -> Int32 {
    let storage: StorageClass =
      switch values[Int(column)] {
      case .null: .null
      case .bool, .int: .integer
      case .double: .real
      case .string, .array, .object: .text
      }
    return storage.rawValue
  }

  private func int(_ column: Int32) -> Int64 {
    switch values[Int(column)] {
    case .bool(let value): value ? 1 : 0
    case .int(let value): value
    case .double(let value): Int64(exactly: value.rounded(.towardZero)) ?? 0
    case .string(let value): Int64(value) ?? 0
    case .null, .array, .object: 0
    }
  }

  private func double(_ column: Int32) -> Double {
    switch values[Int(column)] {
    case .double(let value): value
    case .string(let value): Double(value) ?? 0
    case .null, .bool, .int, .array, .object: Double(int(column))
    }
  }

  private func text(_ column: Int32) -> UnsafePointer<UInt8>? {
    switch values[Int(column)] {
    case .null: nil
    case .string(let value): keep(Array(value.utf8), column)
    case let value: keep(Array((value.text ?? "null").utf8), column)
    }
  }

  private func blob(_ column: Int32) -> UnsafeRawPointer? {
    guard case .string(let digits) = values[Int(column)] else { return nil }
    var bytes: [UInt8] = []
    var high: Int?
    for digit in digits.lazy.compactMap(\.hexDigitValue) {
      if let value = high {
        bytes.append(UInt8(value << 4 | digit))
        high = nil
      } else {
        high = digit
      }
    }
    return UnsafeRawPointer(keep(bytes, column))
  }

  private func keep(_ bytes: [UInt8], _ column: Int32) -> UnsafePointer<UInt8> {
    // With one byte more: SQLite's texts end with a NUL, and an empty text needs an address.
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count + 1)
    _ = buffer.initialize(from: bytes + [0])
    buffers.append(buffer)
    counts[column] = Int32(bytes.count)
    return UnsafePointer(buffer.baseAddress.unsafelyUnwrapped)
  }
}

extension QueryRepresentable {
  /// Decodes one JSON value: a single column, or an object with the columns of a row.
  static func decode(json: StoredJSON) throws(DecodingProblem) -> QueryOutput {
    let row = JSONRow(json.columns(of: Self.self))
    defer { withExtendedLifetime(row) {} }
    var reader = row.reader
    return try decode(&reader)
  }
}

extension StoredJSON {
  fileprivate func columns<V: QueryRepresentable>(of type: V.Type) -> [StoredJSON] {
    guard let selection = V.Unwrapped.self as? any Table.Type else { return [column(V.kind)] }
    return selection.resultColumns.map { column in
      column.path.reduce(self) { value, name in
        guard case .object(let members) = value else { return .null }
        return members[name] ?? .null
      }.column(column.kind)
    }
  }

  /// The value as a column of the given kind. In a column of JSON, strings are quoted.
  private func column(_ kind: ColumnKind) -> StoredJSON {
    switch (self, kind) {
    case (.null, _): .null
    case (_, .json), (_, .jsonb): .string(text ?? "null")
    default: self
    }
  }

  /// A binding as a JSON value; `nil` if the binding cannot be stored.
  init?(_ binding: QueryBinding, kind: ColumnKind) {
    switch binding.plain {
    case .null: self = .null
    case .int(let value): self = kind == .boolean ? .bool(value != 0) : .int(value)
    case .double(let value): self = .double(value)
    case .text(let value):
      guard kind == .json || kind == .jsonb else {
        self = .string(value)
        return
      }
      self.init(text: value)
    case .blob(let bytes) where kind == .jsonb:
      guard let json = JSONB.decode(bytes) else { return nil }
      self = json
    case .blob(let bytes): self = .string(String(quoted(blob: bytes).dropFirst(2).dropLast()))
    case .invalid: return nil
    }
  }

  /// A row as an object, with groups of columns as objects in it; `nil` if a value cannot be
  /// stored.
  init?(row: some Table) {
    self = .object([:])
    for column in row.columns.selection {
      var value = StoredJSON.null
      if case .binding(let binding)? = column.fragment.segments.first {
        guard let stored = StoredJSON(binding, kind: column.result.kind) else { return nil }
        value = stored
      }
      // A column without a value has no member, as in Codable.
      if value != .null { insert(value, at: column.result.path) }
    }
  }

  private mutating func insert(_ value: StoredJSON, at path: [String]) {
    guard let name = path.first else {
      self = value
      return
    }
    var members: [String: StoredJSON] = if case .object(let members) = self { members } else { [:] }
    var member = members[name] ?? .object([:])
    member.insert(value, at: Array(path.dropFirst()))
    members[name] = member
    self = .object(members)
  }
}

/// The text of a JSON patch. For an enum in a row, the other cases are null, so that a merge leaves
/// only one case.
func jsonPatchText<V: Encodable>(_ value: V) -> QueryBinding {
  guard let row = value as? any Table, let json = StoredJSON(row: row),
    let text = json.replacingCases(of: row).text
  else { return jsonText(value) }
  return .text(text)
}

extension StoredJSON {
  fileprivate func replacingCases(of value: Any) -> StoredJSON {
    guard case .object(var members) = self else { return self }
    for child in Mirror(reflecting: value).children {
      guard let name = child.label, let member = members[name] else { continue }
      members[name] = member.replacingCases(of: Self.unwrapped(child.value))
    }
    if let row = value as? any EnumTable {
      for name in Self.cases(of: row) where members[name] == nil { members[name] = .null }
    }
    return .object(members)
  }

  private static func unwrapped(_ value: Any) -> Any {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .optional ? mirror.children.first?.value ?? value : value
  }

  private static func cases<Row: EnumTable>(of row: Row) -> [String] {
    Row.resultColumns.map { $0.groups.first?.name ?? $0.name }
  }
}
