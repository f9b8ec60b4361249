import MartletJSON
import MartletStore

/// The result of a live query, computed once and shared by all subscribers: the body of a `GET`
/// response, or a Swift value.
public final class LiveResult: Sendable {
  /// The tag of the body, or of the stored bytes that a value was made from.
  public let etag: ETag
  /// The body as JSON. Empty if the result is a Swift value.
  public let body: SharedBytes
  private let value: (any Sendable)?

  init(_ body: SharedBytes) {
    self.body = body
    etag = ETag(hashing: body.bytes)
    value = nil
  }

  /// A result that is a Swift value. `etag` is the tag of the data that the value was made from;
  /// without it the result equals no other.
  init<Value: Sendable>(_ value: Value, etag: ETag = ETag(hash: .random(in: 0...(.max)))) {
    body = SharedBytes([])
    self.etag = etag
    self.value = Boxed(value: value)
  }

  /// The value, which must have the type that its ``ValueSource`` declares.
  func value<Value: Sendable>(as _: Value.Type) -> Value {
    guard let box = value as? Boxed<Value> else {
      preconditionFailure("the result of a live query does not have the type of its source")
    }
    return box.value
  }

  /// A box, so that a cast compares the declared types. A cast of an optional value itself would
  /// unwrap it.
  private final class Boxed<Value: Sendable>: Sendable {
    let value: Value
    init(value: Value) { self.value = value }
  }
}

/// The state of a live query after a run.
public struct LiveState: Sendable {
  /// The outcome of a run.
  public enum Outcome: Sendable {
    /// The query has this result.
    case result(LiveResult)
    /// The requested object does not exist.
    case absent
    /// The query failed. It is tried again with the next commit that touches it.
    case failed(any Error)
  }

  /// The outcome of the run.
  public let outcome: Outcome
  /// The number of the run, counted from 1. Later states have higher numbers.
  public let run: UInt64
  /// The state contains every commit up to this number, and possibly later ones.
  public let commit: UInt64
}
