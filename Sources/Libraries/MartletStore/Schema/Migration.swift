import MartletSQLite

/// One step of the schema's evolution, as SQL that must not change after its release.
public struct Migration: Sendable, Hashable {
  /// The migration's position: migrations run in ascending order.
  public var number: Int
  /// The migration's name, used in messages and stored in the file.
  public var name: String
  /// The statements that the migration runs.
  public var sql: String

  /// Creates a migration from SQL text.
  public init(number: Int, name: String, sql: String) {
    self.number = number
    self.name = name
    self.sql = sql
  }

  /// Creates a migration from the bytes of an embedded file.
  public init(number: Int, name: String, sql: some Sequence<UInt8>) {
    self.init(number: number, name: name, sql: String(decoding: Array(sql), as: UTF8.self))
  }

  /// The 64-bit FNV-1a hash of the SQL's UTF-8 bytes in hexadecimal. It detects accidental changes,
  /// not deliberate ones (https://datatracker.ietf.org/doc/html/rfc9923).
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
