/// The value that the last call of a clause set. `nil` is a value, too: `limit(nil)` removes the
/// limit of the table's default scope.
struct Said<Value: Sendable>: Sendable {
  private(set) var value: Value?
  /// The number of calls so far. One byte, because queries are copied often.
  private var times: UInt8 = 0

  mutating func say(_ value: Value?) {
    self.value = value
    if times < .max { times += 1 }
  }

  /// This value if a call has set one; otherwise `other`.
  func or(_ other: Self) -> Self { times > 0 ? self : other }

  /// Nothing if no call has set a value since `earlier`.
  func removing(_ earlier: Self) -> Self { times == earlier.times ? Self() : self }
}
