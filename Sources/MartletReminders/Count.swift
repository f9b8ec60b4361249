/// A number and its noun in the right form: `0 lists`, `1 list`, `2 lists`. Every count in a message is one.
public struct Count: CustomStringConvertible, Sendable {
  public let description: String

  /// - Parameters:
  ///   - one: What stands behind 1.
  ///   - several: What stands behind any other number, where that is not `one` with an `s`.
  public init(_ number: Int, _ one: String, _ several: String? = nil) {
    description = "\(number) \(number == 1 ? one : several ?? one + "s")"
  }
}
