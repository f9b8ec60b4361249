/// A parser of external bytes, with the properties that must hold for every input.
struct FuzzTarget: Sendable {
  /// Checks one input. A trap and a thrown error are findings.
  typealias Body = (UnsafeBufferPointer<UInt8>) throws -> Void

  /// The name of its folder in `Fuzz/Corpus`.
  let name: String
  /// Makes the function that checks the inputs, one after the other, on one thread.
  let begin: @Sendable () throws -> Body

  static let all: [FuzzTarget] = [
    http, chunks, url, fields, cursor, json, body, time, search, sql, key, transfer, entry,
    quickAdd, dav,
  ]

  static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}
