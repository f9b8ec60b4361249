import MartletStore

/// A value that a request fetches with several queries, updated after each commit that changes it.
///
/// ```swift
/// @Fetch(Overview(), database: database) var overview = Overview.Value()
/// ```
///
/// All queries of a request read the same snapshot (``FetchKeyRequest``).
@propertyWrapper
public struct Fetch<Value: Sendable>: Sendable {
  /// The state of the request.
  public let projectedValue: FetchState<Value>
  /// The value that was fetched last.
  public var wrappedValue: Value { projectedValue.value }

  /// Fetches and follows the value of a request. The value is `wrappedValue` until the first fetch
  /// succeeds.
  public init(
    wrappedValue: Value, _ request: some FetchKeyRequest<Value>, database: any ObservableDatabase
  ) {
    projectedValue = FetchState(wrappedValue, .request(request), database)
  }
}

extension FetchState {
  /// Follows another request. Returns when its value has been fetched, and throws if that fails.
  @discardableResult
  public func load(
    _ request: some FetchKeyRequest<Value>
  ) async throws -> FetchSubscription { try await load(.request(request)) }
}

extension ObservableDatabase {
  /// The value of a request, now and after each commit that changes it. A failing request ends the
  /// sequence with its error.
  public func values<Request: FetchKeyRequest>(
    of request: Request
  ) -> AsyncThrowingStream<Request.Value, any Error> { values(.request(request)) }
}
