/// One entrance for bytes from outside, and what has to hold whatever comes in.
struct FuzzTarget: Sendable {
  /// Reads one input. A trap is a finding, and so is what it throws.
  typealias Body = (UnsafeBufferPointer<UInt8>) throws -> Void

  /// The name of its folder in `Fuzz/Corpus`.
  let name: String
  /// Makes what reads the inputs, one after the other, on one thread.
  let begin: @Sendable () throws -> Body

  static let all: [FuzzTarget] = [
    http, chunks, url, fields, cursor, json, body, time, search, sql, key, transfer,
  ]

  static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}
