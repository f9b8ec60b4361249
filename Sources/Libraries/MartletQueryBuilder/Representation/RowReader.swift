/// The driver's column functions as plain C function pointers.
///
/// This keeps the module free of SQLite's API, and reading a column costs one indirect call, as in
/// C.
@frozen
public struct ColumnAccess: Sendable {
  /// The driver's statement, opaque to this module.
  public typealias Statement = OpaquePointer

  @usableFromInline let type: @convention(c) (Statement?, Int32) -> Int32
  @usableFromInline let int: @convention(c) (Statement?, Int32) -> Int64
  @usableFromInline let double: @convention(c) (Statement?, Int32) -> Double
  @usableFromInline let text: @convention(c) (Statement?, Int32) -> UnsafePointer<UInt8>?
  @usableFromInline let blob: @convention(c) (Statement?, Int32) -> UnsafeRawPointer?
  @usableFromInline let bytes: @convention(c) (Statement?, Int32) -> Int32

  /// Takes the driver's counterparts of `sqlite3_column_type`, `…_int64`, `…_double`, `…_text`,
  /// `…_blob` and `…_bytes`.
  package init(
    type: @escaping @convention(c) (Statement?, Int32) -> Int32,
    int: @escaping @convention(c) (Statement?, Int32) -> Int64,
    double: @escaping @convention(c) (Statement?, Int32) -> Double,
    text: @escaping @convention(c) (Statement?, Int32) -> UnsafePointer<UInt8>?,
    blob: @escaping @convention(c) (Statement?, Int32) -> UnsafeRawPointer?,
    bytes: @escaping @convention(c) (Statement?, Int32) -> Int32
  ) {
    self.type = type
    self.int = int
    self.double = double
    self.text = text
    self.blob = blob
    self.bytes = bytes
  }
}

/// The storage class of a value, with SQLite's numbers (https://sqlite.org/datatype3.html).
public enum StorageClass: Int32, Sendable {
  /// A signed 64-bit integer: `SQLITE_INTEGER`.
  case integer = 1
  /// A floating-point number, text, bytes, or NULL.
  case real, text, blob, null
}

/// A row of a result, read from left to right.
@frozen
public struct RowReader {
  /// The driver's statement, positioned on the row.
  public let statement: OpaquePointer
  @usableFromInline let access: ColumnAccess
  /// The index of the column that is read next, from 0.
  public internal(set) var column: Int32 = 0

  /// Reads a statement's current row with the driver's functions.
  @inlinable public init(statement: OpaquePointer, access: ColumnAccess) {
    self.statement = statement
    self.access = access
  }

  /// Returns to the first column, for the next row.
  @inlinable public mutating func rewind() { setColumn(0) }
  @usableFromInline mutating func setColumn(_ index: Int32) { column = index }

  /// The storage class of a column of this row.
  public func storageClass(at column: Int32) -> StorageClass {
    StorageClass(rawValue: access.type(statement, column)) ?? .null
  }

  /// Skips the next `count` columns and returns `true` if all of them are NULL, as on the empty
  /// side of an outer join.
  public mutating func skipNulls(_ count: Int) -> Bool {
    let count = Int32(count)
    for offset in 0..<count where access.type(statement, column + offset) != 5 { return false }
    column += count
    return true
  }

  /// Reads the next columns as a value.
  @inlinable public mutating func decode<V: QueryRepresentable>(
    _ type: V.Type
  ) throws(DecodingProblem) -> V.QueryOutput { try V.decode(&self) }

  /// Reads the next column as an integer. Throws for NULL, and for text or bytes that read as 0.
  public mutating func int() throws(DecodingProblem) -> Int64 {
    let value = access.int(statement, column)
    // NULL, and text or bytes that are not a number, read as 0. Only then is the type checked.
    if value == 0 { try refuseOther("Int") }
    column += 1
    return value
  }

  /// Reads the next column as a floating-point number. Throws for NULL, and for text or bytes that
  /// read as 0.
  public mutating func double() throws(DecodingProblem) -> Double {
    let value = access.double(statement, column)
    if value == 0 { try refuseOther("Double") }
    column += 1
    return value
  }

  /// Reads the next column as text. Throws if it is NULL.
  public mutating func string() throws(DecodingProblem) -> String {
    guard let text = access.text(statement, column) else { throw problem("String") }
    let count = Int(access.bytes(statement, column))
    column += 1
    return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  /// Reads the next column as bytes. Throws if it is NULL.
  public mutating func blob() throws(DecodingProblem) -> [UInt8] {
    // The pointer of an empty blob is null too, so the type distinguishes it from NULL.
    if access.type(statement, column) == 5 { throw problem("[UInt8]") }
    let start = access.blob(statement, column)
    let count = Int(access.bytes(statement, column))
    column += 1
    return Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  private func refuseOther(_ expected: String) throws(DecodingProblem) {
    guard access.type(statement, column) > StorageClass.real.rawValue else { return }
    throw problem(expected)
  }

  /// The error if the current column does not contain an `expected`.
  public func problem(_ expected: String) -> DecodingProblem { problem(expected, at: place) }
  /// The error for a column that was read already. Reading may have converted the value, so `place`
  /// holds what it was.
  public func problem(_ expected: String, at place: Place) -> DecodingProblem {
    DecodingProblem(column: place.column, expected: expected, found: place.found)
  }
  /// A column and the storage class of its value.
  public struct Place {
    let column: Int32
    let found: StorageClass
    @usableFromInline init(column: Int32, found: StorageClass) {
      self.column = column
      self.found = found
    }
  }
  /// The column that is read next.
  public var place: Place { Place(column: column, found: storageClass(at: column)) }
}

/// A stored value that does not have the expected Swift type.
///
/// The driver adds the column's name, the value and the SQL.
public struct DecodingProblem: Error, Equatable, Sendable {
  /// The index of the column, from 0.
  public let column: Int32
  /// The name of the expected type.
  public let expected: String
  /// The storage class of the stored value.
  public let found: StorageClass
  /// The error of a custom type that failed to read itself, if any.
  public private(set) var reason: String?

  /// Makes the error for a column.
  public init(column: Int32, expected: String, found: StorageClass) {
    self.column = column
    self.expected = expected
    self.found = found
  }

  @usableFromInline func because(_ reason: String) -> DecodingProblem {
    var problem = self
    problem.reason = reason
    return problem
  }
}
