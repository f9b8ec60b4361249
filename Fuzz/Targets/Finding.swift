/// A property that an input has violated.
struct Finding: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Throws a ``Finding`` if `isTrue` is false.
func expect(_ isTrue: Bool, _ description: @autoclosure () -> String) throws(Finding) {
  guard isTrue else { throw Finding(description()) }
}
