import Foundation

/// The number of rounds of random tests. With the default each test takes a second or two, with a
/// new seed each time; `MARTLET_EFFORT=10` runs ten times as many rounds.
public enum Effort {
  private static let factor =
    ProcessInfo.processInfo.environment["MARTLET_EFFORT"].flatMap(Double.init) ?? 1

  /// `count` rounds, times the factor; at least one.
  public static func rounds(_ count: Int) -> Int { max(1, Int(Double(count) * factor)) }
}
