import MartletJSON
import MartletSQLite

extension FuzzTarget {
  /// JSON text. A parsed value can be written, and reads back the same; SQLite accepts the text as
  /// well.
  static let json = FuzzTarget(name: "json") {
    let connection = try Connection(location: .inMemory)
    let check = try connection.prepare(sql: "SELECT json_valid(?)")
    return { bytes in
      guard let value = try? JSONValue.parse(bytes, depthLimit: 32) else { return }
      let text = value.description
      let again = try JSONValue.parse(text)
      try expect(again == value, "\(value) became \(again)")
      try expect(again.hashValue == value.hashValue, "equal values have different hashes")
      try expect(value.isEquivalent(to: again), "\(value) does not mean the same as itself")
      try visit(value)
      try check.bind(text: String(decoding: bytes, as: UTF8.self), at: 1)
      defer { check.reset() }
      try expect(try check.step() && check.int64(at: 0) == 1, "SQLite says that it is no JSON")
    }
  }

  /// Reads every property of every value.
  private static func visit(_ value: JSONValue) throws {
    if let integer = value.int64, let double = value.double {
      // Both were parsed from the same text; a Double has 53 bits of precision.
      try expect(
        integer.magnitude >= 1 << 53 || Double(integer) == double, "\(integer) is not \(double)")
    }
    for element in value.array ?? [] { try visit(element) }
    for member in value.object?.members ?? [] { try visit(member.value) }
  }
}
