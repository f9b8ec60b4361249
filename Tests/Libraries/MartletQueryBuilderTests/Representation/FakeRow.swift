import MartletQueryBuilder

/// A row of given values, behind the functions that a driver provides, to decode without a
/// database.
final class FakeRow {
  private let values: [QueryBinding]
  private var texts: [Int: UnsafeMutableBufferPointer<UInt8>] = [:]

  init(_ values: [QueryBinding]) { self.values = values }
  deinit { for text in texts.values { text.deallocate() } }

  /// Decodes one row of `statement`.
  static func read<Output>(
    _ statement: some Statement<Output>, _ values: QueryBinding...
  ) throws(DecodingProblem) -> Output {
    let row = FakeRow(values)
    var reader = RowReader(
      statement: OpaquePointer(Unmanaged.passUnretained(row).toOpaque()), access: access)
    let output = try statement.decode(&reader)
    // The reader has a pointer to the row, which must live until here.
    return withExtendedLifetime(row) { output }
  }

  private static func value(_ statement: OpaquePointer?, _ column: Int32) -> QueryBinding {
    row(statement).values[Int(column)]
  }

  private static func row(_ statement: OpaquePointer?) -> FakeRow {
    Unmanaged<FakeRow>.fromOpaque(UnsafeRawPointer(statement!)).takeUnretainedValue()
  }

  private func bytes(_ column: Int32) -> UnsafeMutableBufferPointer<UInt8>? {
    if let bytes = texts[Int(column)] { return bytes }
    let source: [UInt8]
    switch values[Int(column)] {
    case .text(let text): source = Array(text.utf8)
    case .blob(let blob): source = blob
    default: return nil
    }
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, source.count))
    _ = bytes.initialize(from: source)
    texts[Int(column)] = UnsafeMutableBufferPointer(rebasing: bytes[..<source.count])
    return texts[Int(column)]
  }

  private static let access = ColumnAccess(
    type: { statement, column in
      switch value(statement, column) {
      case .int, .bool: StorageClass.integer.rawValue
      case .double: StorageClass.real.rawValue
      case .blob: StorageClass.blob.rawValue
      case .text, .date, .uuid: StorageClass.text.rawValue
      case .null, .invalid: StorageClass.null.rawValue
      }
    },
    int: { statement, column in
      if case .int(let value) = value(statement, column) { value } else { 0 }
    },
    double: { statement, column in
      if case .double(let value) = value(statement, column) { value } else { 0 }
    },
    text: { statement, column in
      row(statement).bytes(column)?.baseAddress.map { UnsafePointer($0) }
    },
    blob: { statement, column in
      row(statement).bytes(column)?.baseAddress.map { UnsafeRawPointer($0) }
    },
    bytes: { statement, column in Int32(row(statement).bytes(column)?.count ?? 0) })
}
