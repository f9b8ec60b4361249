import MartletJSON
import MartletSQLite

/// Where a page ended: the sort keys of its last row, and a fingerprint of the list.
///
/// For clients it is an opaque base64url string. A cursor stays valid while rows are inserted and
/// deleted, because it marks a position in the sort order and not a row count.
public struct PageCursor: Hashable, Sendable {
  /// A hash of the list's sort order and filters. A caller must reject a cursor whose fingerprint
  /// belongs to another list.
  public let fingerprint: UInt64
  /// The sort keys of the last row.
  public let keys: [Value]

  /// The longest accepted text, in characters. It fits a key of 4,000 bytes, and the cursor fits
  /// into a request line of 8 KiB.
  static let longest = 6_000

  /// Creates a cursor for the position after a row with these sort keys.
  public init(fingerprint: UInt64, keys: [Value]) {
    self.fingerprint = fingerprint
    self.keys = keys
  }

  /// Decodes a cursor from its text. Returns `nil` if the text is not a valid cursor.
  public init?(_ text: String) {
    guard text.utf8.count <= PageCursor.longest, let bytes = Base64.decode(url: text) else {
      return nil
    }
    var reader = Reader(bytes: bytes[...])
    guard reader.byte() == Self.version, let fingerprint = reader.word() else { return nil }
    var keys: [Value] = []
    while let tag = reader.byte() {
      guard let key = reader.value(tag) else { return nil }
      keys.append(key)
    }
    self.init(fingerprint: fingerprint, keys: keys)
  }

  /// The cursor as base64url text: letters, digits, `-` and `_`.
  public var text: String {
    var bytes: [UInt8] = [Self.version]
    Self.append(fingerprint, to: &bytes)
    for key in keys {
      switch key {
      case .null: bytes.append(Tag.null)
      case .integer(let value):
        bytes.append(Tag.integer)
        Self.append(UInt64(bitPattern: value), to: &bytes)
      case .real(let value):
        bytes.append(Tag.real)
        Self.append(value.bitPattern, to: &bytes)
      case .text(let value):
        bytes.append(Tag.text)
        Self.append(UInt64(value.utf8.count), to: &bytes)
        bytes += value.utf8
      case .blob(let value):
        bytes.append(Tag.blob)
        Self.append(UInt64(value.count), to: &bytes)
        bytes += value
      }
    }
    return Base64.encode(url: bytes)
  }

  private static let version: UInt8 = 1

  private enum Tag {
    static let null: UInt8 = 0
    static let integer: UInt8 = 1
    static let real: UInt8 = 2
    static let text: UInt8 = 3
    static let blob: UInt8 = 4
  }

  private static func append(_ word: UInt64, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: word.bigEndian) { bytes += $0 }
  }

  private struct Reader {
    var bytes: ArraySlice<UInt8>

    mutating func byte() -> UInt8? { bytes.popFirst() }

    mutating func word() -> UInt64? {
      guard bytes.count >= 8 else { return nil }
      let word = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
      bytes = bytes.dropFirst(8)
      return word
    }

    mutating func run() -> [UInt8]? {
      guard let count = word(), count <= bytes.count else { return nil }
      let run = Array(bytes.prefix(Int(count)))
      bytes = bytes.dropFirst(Int(count))
      return run
    }

    mutating func value(_ tag: UInt8) -> Value? {
      switch tag {
      case Tag.null: .null
      case Tag.integer: word().map { .integer(Int64(bitPattern: $0)) }
      case Tag.real: word().map { .real(Double(bitPattern: $0)) }
      case Tag.text: run().flatMap { String(validating: $0, as: UTF8.self) }.map { .text($0) }
      case Tag.blob: run().map { .blob($0) }
      default: nil
      }
    }
  }
}
