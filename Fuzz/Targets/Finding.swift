/// A property that an input broke.
struct Finding: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Throws a ``Finding`` where `isTrue` does not hold.
func expect(_ isTrue: Bool, _ description: @autoclosure () -> String) throws(Finding) {
  guard isTrue else { throw Finding(description()) }
}
