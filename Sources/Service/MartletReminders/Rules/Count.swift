/// A number with its noun in singular or plural: `0 lists`, `1 list`, `2 lists`. Messages use it
/// for every count.
public struct Count: CustomStringConvertible, Sendable {
  public let description: String

  /// Formats a number with a noun.
  ///
  /// - Parameters:
  ///   - number: The number.
  ///   - one: The singular noun.
  ///   - several: The plural noun, by default `one` followed by `s`.
  public init(_ number: Int, _ one: String, _ several: String? = nil) {
    description = "\(number) \(number == 1 ? one : several ?? one + "s")"
  }
}
