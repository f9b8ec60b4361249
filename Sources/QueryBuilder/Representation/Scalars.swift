extension Int: QueryBindable {
  public static var kind: ColumnKind { .integer }
  public static func bind(_ value: Int) -> QueryBinding { .int(Int64(value)) }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Int {
    Int(try row.int())
  }
}

extension Int64: QueryBindable {
  public static var kind: ColumnKind { .integer }
  public static func bind(_ value: Int64) -> QueryBinding { .int(value) }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Int64 {
    try row.int()
  }
}

/// The narrower integers: stored as INTEGER, refused on reading when they do not fit.
extension ColumnRepresentation where Self: FixedWidthInteger, QueryOutput == Self {
  public static var kind: ColumnKind { .integer }
  public static func bind(_ value: Self) -> QueryBinding {
    Int64(exactly: value).map(QueryBinding.int)
      ?? .invalid(reason: "\(value) does not fit into SQLite's 64-bit signed INTEGER")
  }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Self {
    let problem = row.problem("\(Self.self)")
    guard let value = Self(exactly: try row.int()) else { throw problem }
    return value
  }
}
extension Int8: QueryBindable {}
extension Int16: QueryBindable {}
extension Int32: QueryBindable {}
extension UInt8: QueryBindable {}
extension UInt16: QueryBindable {}
extension UInt32: QueryBindable {}
extension UInt: QueryBindable {}
extension UInt64: QueryBindable {}

extension Double: QueryBindable {
  public static var kind: ColumnKind { .real }
  public static func bind(_ value: Double) -> QueryBinding { .double(value) }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Double {
    try row.double()
  }
}

extension Float: QueryBindable {
  public static var kind: ColumnKind { .real }
  public static func bind(_ value: Float) -> QueryBinding { .double(Double(value)) }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Float {
    Float(try row.double())
  }
}

extension Bool: QueryBindable {
  public static var kind: ColumnKind { .boolean }
  public static func bind(_ value: Bool) -> QueryBinding { .bool(value) }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Bool {
    try row.int() != 0
  }
}

extension String: QueryBindable {
  public static var kind: ColumnKind { .text }
  public static func bind(_ value: String) -> QueryBinding { .text(value) }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> String {
    try row.string()
  }
}

extension Array: OrderingTerm, QueryExpression, ColumnRepresentation, QueryRepresentable,
  QueryBindable
where Element == UInt8 {
  public typealias QueryValue = [UInt8]
  public typealias QueryOutput = [UInt8]
  public typealias Unwrapped = [UInt8]
  public static var kind: ColumnKind { .blob }
  public static func bind(_ value: [UInt8]) -> QueryBinding { .blob(value) }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> [UInt8] {
    try row.blob()
  }
}
