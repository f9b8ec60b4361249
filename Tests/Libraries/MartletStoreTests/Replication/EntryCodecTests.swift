import MartletSQLite
import TestSupport
import Testing

@testable import MartletStore

@Suite("The bytes of an entry") struct EntryCodecTests {
  private static let values: [Value] = [
    .null, .integer(0), .integer(-1), .integer(.max), .integer(.min), .integer(63), .integer(64),
    .real(0), .real(-0.0), .real(.infinity), .real(1e-308), .text(""), .text("a\u{0}b"),
    .text("née 🚗"), .blob([]), .blob([0, 255, 1]), .text(String(repeating: "x", count: 70_000)),
  ]

  private func read<T>(
    _ bytes: [UInt8], _ body: (inout EntryReader) throws -> T
  ) throws -> T {
    try bytes.withUnsafeBytes { bytes in
      var reader = EntryReader(bytes)
      return try body(&reader)
    }
  }

  @Test("Values come back as they were") func values() throws {
    var writer = EntryWriter()
    for value in Self.values { writer.value(value) }
    try read(writer.bytes) { reader in
      for value in Self.values {
        let found = try reader.value()
        #expect(found == value)
        if case .real(let real) = value { #expect(found.real?.sign == real.sign) }
      }
      #expect(reader.isAtEnd)
    }
    try read(writer.bytes) { reader in
      for _ in Self.values { try reader.skipValue() }
      #expect(reader.isAtEnd)
    }
  }

  @Test("Every beginning of an entry is damaged") func cutOff() throws {
    for value in Self.values.dropLast() {
      var writer = EntryWriter()
      writer.value(value)
      for count in writer.bytes.indices {
        let bytes = Array(writer.bytes[..<count])
        #expect(throws: ReplicationError.damaged) { try read(bytes) { try $0.value() } }
        #expect(throws: ReplicationError.damaged) { try read(bytes) { try $0.skipValue() } }
      }
    }
  }

  @Test(
    "A count, an index or a type that is out of range is damaged",
    arguments: [
      [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02],
      [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], [0xff, 0x7f], [2, 0],
    ] as [[UInt8]])
  func outOfRange(_ bytes: [UInt8]) throws {
    #expect(throws: ReplicationError.damaged) { try read(bytes) { try $0.number() } }
    #expect(throws: ReplicationError.damaged) { try read(bytes) { try $0.index(below: 2) } }
    #expect(throws: ReplicationError.damaged) { try read([UInt8(9)] + bytes) { try $0.value() } }
    #expect(throws: ReplicationError.damaged) {
      try read([UInt8(SQLITE_TEXT)] + bytes.map { $0 | 0x80 }) { try $0.value() }
    }
  }
}
