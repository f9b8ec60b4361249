import Foundation

/// A small reproducible generator (SplitMix64). Failure messages contain its seed, and
/// `MARTLET_SEED` repeats a run.
struct SeededGenerator: RandomNumberGenerator {
  let seed: UInt64
  private var state: UInt64

  init() {
    let given = ProcessInfo.processInfo.environment["MARTLET_SEED"].flatMap { UInt64($0) }
    seed = given ?? .random(in: 0 ... .max)
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &self)]
  }

  mutating func once(in times: Int) -> Bool { Int.random(in: 0..<times, using: &self) == 0 }
}
