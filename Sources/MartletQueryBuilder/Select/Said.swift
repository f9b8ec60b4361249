/// What the last call of a clause said. `nil` is an answer, too: no limit, also where the table's own `all` has one.
struct Said<Value: Sendable>: Sendable {
  private(set) var value: Value?
  /// In one byte: queries are copied a lot.
  private var times: UInt8 = 0

  mutating func say(_ value: Value?) {
    self.value = value
    if times < .max { times += 1 }
  }

  func or(_ other: Self) -> Self { times > 0 ? self : other }

  /// Nothing, where nobody has spoken since.
  func removing(_ earlier: Self) -> Self { times == earlier.times ? Self() : self }
}
