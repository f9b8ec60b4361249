import Foundation

/// A small reproducible random number generator (SplitMix64). Tests print the seed in every failure
/// message, and `MARTLET_SEED` repeats a run.
public struct SeededRandom: RandomNumberGenerator {
  /// The seed that the generator started with.
  public let seed: UInt64
  private var state: UInt64

  /// Creates a generator; by default with the seed in `MARTLET_SEED`, or a random one.
  public init(seed: UInt64 = SeededRandom.newSeed()) {
    self.seed = seed
    state = seed
  }

  /// The seed in `MARTLET_SEED`, or a random one.
  public static func newSeed() -> UInt64 {
    ProcessInfo.processInfo.environment["MARTLET_SEED"].flatMap { UInt64($0) }
      ?? .random(in: 0 ... .max)
  }

  /// Returns the next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Returns a random element of a nonempty array.
  public mutating func pick<T>(_ values: [T]) -> T {
    values[Int.random(in: values.indices, using: &self)]
  }

  /// Returns true with a probability of 1 in `times`.
  public mutating func once(in times: Int) -> Bool { Int.random(in: 0..<times, using: &self) == 0 }
}
