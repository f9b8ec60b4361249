/// The observation that ``FetchState`` has begun with another query.
///
/// ```swift
/// try await $users.load(User.order(by: \.name)).task  // follows as long as this task runs
/// ```
///
/// It needs not be kept: the observation goes on without it.
public struct FetchSubscription: Sendable {
  let ended: Latch
  let end: @Sendable () -> Void

  /// Suspends for as long as the query is followed. Where the task that waits is cancelled, the
  /// observation ends with it and this throws `CancellationError`.
  public var task: Void {
    get async throws {
      do { try await ended.wait() } catch {
        end()
        throw error
      }
    }
  }

  /// Ends the observation. The last value stays; no other observation is concerned.
  public func cancel() { end() }
}
