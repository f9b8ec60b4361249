import MartletStore

/// What a request fetches with several queries, kept up to date.
///
/// ```swift
/// @Fetch(Overview(), database: database) var overview = Overview.Value()
/// ```
///
/// All queries of a request see the same commit (``FetchKeyRequest``).
@propertyWrapper
public struct Fetch<Value: Sendable>: Sendable {
  public let projectedValue: FetchState<Value>
  public var wrappedValue: Value { projectedValue.value }

  public init(
    wrappedValue: Value, _ request: some FetchKeyRequest<Value>, database: any ObservableDatabase
  ) {
    projectedValue = FetchState(wrappedValue, .request(request), database)
  }
}

extension FetchState {
  /// Follows another request; returns when its value is there.
  @discardableResult
  public func load(
    _ request: some FetchKeyRequest<Value>
  ) async throws -> FetchSubscription { try await load(.request(request)) }
}

extension ObservableDatabase {
  /// What a request fetches, now and after each commit that changes it.
  public func values<Request: FetchKeyRequest>(
    of request: Request
  ) -> AsyncThrowingStream<Request.Value, any Error> { values(.request(request)) }
}
