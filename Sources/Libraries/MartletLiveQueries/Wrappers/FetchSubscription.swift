/// The observation that loading another query into a ``FetchState`` has started.
///
/// ```swift
/// try await $users.load(User.order(by: \.name)).task  // follows as long as this task runs
/// ```
///
/// The observation continues even if this value is discarded.
public struct FetchSubscription: Sendable {
  let ended: Latch
  let end: @Sendable () -> Void

  /// Suspends as long as the query is followed. If the waiting task is canceled, the observation
  /// ends and this throws `CancellationError`.
  public var task: Void {
    get async throws {
      do { try await ended.wait() } catch {
        end()
        throw error
      }
    }
  }

  /// Ends the observation. The last value stays, and other observations are not affected.
  public func cancel() { end() }
}
