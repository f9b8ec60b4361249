import JSON
import Store

/// A live query's whole answer: the bytes that `GET` would have given, encoded once and shared.
public final class LiveResult: Sendable {
  public let etag: ETag
  public let body: SharedBytes

  init(_ body: SharedBytes) {
    self.body = body
    etag = ETag(hashing: body.bytes)
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
  /// The number of the turn of the refresher that gave it: what one commit changed comes in one turn.
  public let turn: UInt64
}
