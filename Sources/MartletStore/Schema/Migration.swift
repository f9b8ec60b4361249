import MartletSQLite

/// One step of the schema, as SQL that is frozen once it is released.
public struct Migration: Sendable, Hashable {
  /// Its place: migrations run in the order of their numbers.
  public var number: Int
  public var name: String
  public var sql: String

  public init(number: Int, name: String, sql: String) {
    self.number = number
    self.name = name
    self.sql = sql
  }

  /// A migration from the bytes of an embedded file.
  public init(number: Int, name: String, sql: some Sequence<UInt8>) {
    self.init(number: number, name: name, sql: String(decoding: Array(sql), as: UTF8.self))
  }

  /// FNV-1a, 64 bits, of the SQL's UTF-8 bytes, in hexadecimal: against accidents, not against
  /// intent (https://datatracker.ietf.org/doc/html/rfc9923).
  public var checksum: String {
    var hash = FNV1a()
    for byte in sql.utf8 { hash.add(byte) }
    let digits = String(hash.value, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}

extension Migration: CustomStringConvertible {
  public var description: String { "\(number) '\(name)'" }
}
