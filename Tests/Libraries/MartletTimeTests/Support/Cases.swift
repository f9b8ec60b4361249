import Foundation

/// The files in `Cases`, located relative to this source file.
enum Cases {
  static let directory = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Cases")

  /// The words of each line of a file.
  static func lines(of name: String) throws -> [[Substring]] {
    try String(contentsOf: directory.appending(path: name), encoding: .utf8)
      .split(separator: "\n").map { $0.split(separator: " ") }
  }
}

/// A small reproducible generator (SplitMix64). Failure messages contain its seed.
struct SeededGenerator: RandomNumberGenerator {
  let seed: UInt64
  private var state: UInt64

  init(seed: UInt64 = .random(in: 0 ... .max)) {
    self.seed = seed
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
