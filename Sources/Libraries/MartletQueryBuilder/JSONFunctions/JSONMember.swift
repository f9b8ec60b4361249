// Members of a document are read and bound in their column's representation. In JSON, bytes are
// hexadecimal text.

/// The member at a path, as an SQL value of its representation.
func jsonMember<V: QueryRepresentable>(
  _ function: String = "json_extract", of document: QueryFragment, at path: QueryFragment,
  as type: V.Type
) -> QueryFragment {
  let value: QueryFragment = "\(raw: function)(\(document), \(path))"
  switch V.kind {
  case .blob: return unhexed(value)
  case .json where !isContainer(V.self): return "nullif((\(document) -> \(path)), 'null')"
  case .jsonb where !isContainer(V.self): return "jsonb(nullif((\(document) -> \(path)), 'null'))"
  default: return value
  }
}

/// Whether the type is always an array or object, which `json_extract` returns as JSON.
/// `json_extract` returns a string without quotes, which is not JSON.
private func isContainer<V: QueryRepresentable>(_ type: V.Type) -> Bool {
  let output = V.Unwrapped.QueryOutput.self
  return output is any Table.Type || output is any JSONContainer.Type
}
private protocol JSONContainer {}
extension Array: JSONContainer {}
extension Dictionary: JSONContainer where Key == String {}

/// The bytes of hexadecimal text.
///
/// `unhex()` needs SQLite 3.41. Here each pair of digits is an index into a blob of all bytes from
/// 0 to 255. The text is decoded in pieces of 512 bytes, because SQLite copies the text that it
/// indexes for every byte decoded. Decoding all of it at once would take quadratic time.
func unhexed(_ text: QueryFragment) -> QueryFragment {
  let digits: QueryFragment = "x'30313233343536373839414243444546'"
  func digit(_ offset: String) -> QueryFragment {
    #"instr(\#(digits), substr("piece", 2 * "b"."key" + \#(raw: offset), 1))"#
  }
  /// Rows with the numbers from 0 to `last`, an SQL expression.
  func numbers(_ last: QueryFragment, _ name: QueryFragment) -> QueryFragment {
    "json_each('[' || replace(hex(zeroblob(\(last))), '00', '0,') || '0]') AS \(name)"
  }
  let bytes: QueryFragment = #"""
    SELECT group_concat(substr(\#(raw: allBytes), 16 * \#(digit("1")) + \#(digit("2")) - 16, 1), '') FROM \#
    (SELECT substr("hex", 1024 * "a"."key" + 1, 1024) AS "piece" LIMIT 1), \#
    \#(numbers(#"length("piece") / 2"#, #""b""#)) WHERE "b"."key" < length("piece") / 2
    """#
  return #"""
    CASE \#(text) WHEN '' THEN x'' ELSE (SELECT CAST(group_concat("part", '') AS BLOB) FROM (SELECT (\#(bytes)) AS "part" \#
    FROM (SELECT CAST(upper(\#(text)) AS BLOB) AS "hex" LIMIT 1), \#
    \#(numbers(#"length("hex") / 1024"#, #""a""#)) WHERE 1024 * "a"."key" < length("hex"))) END
    """#
}
private let allBytes = quoted(blob: (0...255).map(UInt8.init))

/// How the value of a `json_each` row is converted to its representation.
enum JSONElementReading: Sendable {
  case asStored, bytes, quoted

  init<V: QueryRepresentable>(_ type: V.Type) {
    switch V.kind {
    case .blob: self = .bytes
    case .json where !isContainer(V.self), .jsonb where !isContainer(V.self): self = .quoted
    default: self = .asStored
    }
  }

  func callAsFunction(_ column: QueryFragment, of qualifier: String) -> QueryFragment {
    switch self {
    case .asStored: column
    case .bytes: unhexed(column)
    case .quoted:
      """
      CASE \(QueryFragment(column: "type", of: qualifier)) WHEN 'text' THEN json_quote(\(column)) WHEN 'true' THEN 'true' WHEN 'false' \
      THEN 'false' ELSE CAST(\(column) AS TEXT) END
      """
    }
  }
}
