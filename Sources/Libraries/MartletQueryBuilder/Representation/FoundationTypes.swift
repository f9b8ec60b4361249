import FoundationEssentials

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
