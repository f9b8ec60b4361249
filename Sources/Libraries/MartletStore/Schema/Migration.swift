import MartletSQLite

/// One step of the schema's evolution, which must not change after its release.
public struct Migration: Sendable {
  /// The work of a migration: SQL text, or a closure.
  enum Work: Sendable {
    case sql(String)
    case closure(@Sendable (Connection) throws -> Void)
  }

  /// The migration's position: migrations run in ascending order.
  public let number: Int
  /// The migration's name, used in messages and stored in the file.
  public let name: String
  let work: Work

  /// Creates a migration from SQL text.
  public init(number: Int, name: String, sql: String) {
    self.init(number: number, name: name, work: .sql(sql))
  }

  /// Creates a migration from the bytes of an embedded file.
  public init(number: Int, name: String, sql: some Sequence<UInt8>) {
    self.init(number: number, name: name, sql: String(decoding: Array(sql), as: UTF8.self))
  }

  init(number: Int, name: String, work: Work) {
    self.number = number
    self.name = name
    self.work = work
  }

  /// The 64-bit FNV-1a hash of the SQL's UTF-8 bytes in hexadecimal, or an empty string for a
  /// closure. It detects accidental changes, not deliberate ones
  /// (https://datatracker.ietf.org/doc/html/rfc9923).
  public var checksum: String {
    guard case .sql(let sql) = work else { return "" }
    var hash = FNV1a()
    for byte in sql.utf8 { hash.add(byte) }
    let digits = String(hash.value, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  func run(on connection: Connection) throws {
    switch work {
    case .sql(let sql): try connection.execute(sql)
    case .closure(let closure): try closure(connection)
    }
  }
}

extension Migration: Equatable {
  /// Compares number, name and checksum.
  public static func == (left: Migration, right: Migration) -> Bool {
    left.number == right.number && left.name == right.name && left.checksum == right.checksum
  }
}

extension Migration: CustomStringConvertible {
  public var description: String { "\(number) '\(name)'" }
}
