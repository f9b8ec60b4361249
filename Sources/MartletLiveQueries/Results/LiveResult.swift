import MartletJSON
import MartletStore

/// A live query's whole answer, made once and shared: the bytes that `GET` would have given, or a Swift
/// value.
public final class LiveResult: Sendable {
  public let etag: ETag
  /// Empty where the result is a value.
  public let body: SharedBytes
  private let value: (any Sendable)?

  init(_ body: SharedBytes) {
    self.body = body
    etag = ETag(hashing: body.bytes)
    value = nil
  }

  /// `etag` is that of what the value was made of; without one the result is equal to no other.
  init<Value: Sendable>(_ value: Value, etag: ETag = ETag(hash: .random(in: 0...(.max)))) {
    body = SharedBytes([])
    self.etag = etag
    self.value = Boxed(value: value)
  }

  /// The value of a ``ValueSource`` of this type.
  func value<Value: Sendable>(as _: Value.Type) -> Value {
    guard let box = value as? Boxed<Value> else {
      preconditionFailure("a query's result is not what was asked for")
    }
    return box.value
  }

  /// So that a cast compares the types as they were written: a value that is an optional is not looked
  /// into.
  private final class Boxed<Value: Sendable>: Sendable {
    let value: Value
    init(value: Value) { self.value = value }
  }
}

/// What is known of a live query.
public struct LiveState: Sendable {
  public enum Outcome: Sendable {
    case result(LiveResult)
    /// What was asked for is not there.
    case absent
    /// The query failed; it is tried again with the next commit that touches it.
    case failed(any Error)
  }

  public let outcome: Outcome
  /// The number of the run that gave it, counted from 1: later states have higher ones.
  public let run: UInt64
  /// The state holds for this commit at least.
  public let commit: UInt64
}
