/// The driver's column functions, handed over as plain C function pointers: this module stays free of
/// SQLite's API, and a column costs one indirect call, as in C.
@frozen
public struct ColumnAccess: Sendable {
  public typealias Statement = OpaquePointer

  @usableFromInline let type: @convention(c) (Statement?, Int32) -> Int32
  @usableFromInline let int: @convention(c) (Statement?, Int32) -> Int64
  @usableFromInline let double: @convention(c) (Statement?, Int32) -> Double
  @usableFromInline let text: @convention(c) (Statement?, Int32) -> UnsafePointer<UInt8>?
  @usableFromInline let blob: @convention(c) (Statement?, Int32) -> UnsafeRawPointer?
  @usableFromInline let bytes: @convention(c) (Statement?, Int32) -> Int32

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

/// The storage class of a value (https://sqlite.org/datatype3.html), by SQLite's own numbers.
public enum StorageClass: Int32, Sendable {
  case integer = 1
  case real, text, blob, null
}

/// One row, read from left to right.
@frozen
public struct RowReader {
  public let statement: OpaquePointer
  @usableFromInline let access: ColumnAccess
  /// The column that is read next, counted from 0.
  public internal(set) var column: Int32 = 0

  @inlinable public init(statement: OpaquePointer, access: ColumnAccess) {
    self.statement = statement
    self.access = access
  }

  /// Back to the first column, for the next row.
  @inlinable public mutating func rewind() { setColumn(0) }
  @usableFromInline mutating func setColumn(_ index: Int32) { column = index }

  public func storageClass(at column: Int32) -> StorageClass {
    StorageClass(rawValue: access.type(statement, column)) ?? .null
  }

  /// Are the next `count` columns NULL? If so they are skipped: the empty side of an outer join.
  public mutating func skipNulls(_ count: Int) -> Bool {
    let count = Int32(count)
    for offset in 0..<count where access.type(statement, column + offset) != 5 { return false }
    column += count
    return true
  }

  /// The next columns as a value.
  @inlinable public mutating func decode<V: QueryRepresentable>(
    _ type: V.Type
  ) throws(DecodingProblem) -> V.QueryOutput { try V.decode(&self) }

  public mutating func int() throws(DecodingProblem) -> Int64 {
    let value = access.int(statement, column)
    // NULL, a text that is no number and bytes read as zero: the type is asked for only then.
    if value == 0 { try refuseOther("Int") }
    column += 1
    return value
  }

  public mutating func double() throws(DecodingProblem) -> Double {
    let value = access.double(statement, column)
    if value == 0 { try refuseOther("Double") }
    column += 1
    return value
  }

  public mutating func string() throws(DecodingProblem) -> String {
    guard let text = access.text(statement, column) else { throw problem("String") }
    let count = Int(access.bytes(statement, column))
    column += 1
    return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  public mutating func blob() throws(DecodingProblem) -> [UInt8] {
    // An empty blob's pointer is null too: the type tells it from NULL.
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

  /// What is to be thrown when the current column does not hold an `expected`.
  public func problem(_ expected: String) -> DecodingProblem { problem(expected, at: place) }
  /// The same of a column that was read already: reading may have converted it.
  public func problem(_ expected: String, at place: Place) -> DecodingProblem {
    DecodingProblem(column: place.column, expected: expected, found: place.found)
  }
  /// A column and what is stored in it.
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

/// A stored value that is not what Swift expects. The driver adds the column's name, the value and the
/// SQL.
public struct DecodingProblem: Error, Equatable, Sendable {
  /// Counted from 0.
  public let column: Int32
  public let expected: String
  public let found: StorageClass
  /// What a type that reads itself says of it.
  public private(set) var reason: String?

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
