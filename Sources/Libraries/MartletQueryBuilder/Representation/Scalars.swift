import FoundationEssentials

extension Int: ScalarValue {
  public static var kind: ColumnKind { .integer }
  public static func bind(_ value: Int) -> QueryBinding { .int(Int64(value)) }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Int {
    Int(try row.int())
  }
}

extension Int64: ScalarValue {
  public static var kind: ColumnKind { .integer }
  public static func bind(_ value: Int64) -> QueryBinding { .int(value) }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Int64 {
    try row.int()
  }
}

/// The narrower and unsigned integers are stored as INTEGER. Reading a value that does not fit
/// throws.
extension QueryBindable where Self: FixedWidthInteger, QueryOutput == Self {
  public static var kind: ColumnKind { .integer }
  public static func bind(_ value: Self) -> QueryBinding {
    Int64(exactly: value).map(QueryBinding.int)
      ?? .invalid(reason: "\(value) does not fit into SQLite's 64-bit signed INTEGER")
  }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Self {
    let place = row.place
    guard let value = Self(exactly: try row.int()) else {
      throw row.problem(typeName(Self.self), at: place)
    }
    return value
  }
}
extension Int8: ScalarValue {}
extension Int16: ScalarValue {}
extension Int32: ScalarValue {}
extension UInt8: ScalarValue {}
extension UInt16: ScalarValue {}
extension UInt32: ScalarValue {}
extension UInt: ScalarValue {}
extension UInt64: ScalarValue {}

extension Double: ScalarValue {
  public static var kind: ColumnKind { .real }
  public static func bind(_ value: Double) -> QueryBinding { .double(value) }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Double {
    try row.double()
  }
}

extension Float: ScalarValue {
  public static var kind: ColumnKind { .real }
  public static func bind(_ value: Float) -> QueryBinding { .double(Double(value)) }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Float {
    Float(try row.double())
  }
}

extension Bool: ScalarValue {
  public static var kind: ColumnKind { .boolean }
  public static func bind(_ value: Bool) -> QueryBinding { .bool(value) }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Bool {
    try row.int() != 0
  }
}

extension String: ScalarValue {
  public static var kind: ColumnKind { .text }
  public static func bind(_ value: String) -> QueryBinding { .text(value) }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> String {
    try row.string()
  }
}

extension Array: OrderingTerm, QueryExpressible, ColumnRepresentation, QueryRepresentable,
  QueryDecodable, QueryBindable, ScalarValue
where Element == UInt8 {
  public typealias QueryValue = [UInt8]
  public typealias QueryOutput = [UInt8]
  /// Bytes are not optional.
  public typealias Unwrapped = [UInt8]
  public static var kind: ColumnKind { .blob }
  public static func bind(_ value: [UInt8]) -> QueryBinding { .blob(value) }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> [UInt8] {
    try row.blob()
  }
}

extension Data: ScalarValue {
  public static var kind: ColumnKind { .blob }
  public static func bind(_ value: Data) -> QueryBinding { .blob([UInt8](value)) }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Data {
    Data(try row.blob())
  }
}

extension URL: ScalarValue {
  public static var kind: ColumnKind { .text }
  public static func bind(_ value: URL) -> QueryBinding { .text(value.absoluteString) }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> URL {
    let place = row.place
    guard let url = URL(string: try row.string()) else { throw row.problem("URL", at: place) }
    return url
  }
}
