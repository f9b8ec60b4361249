import Testing

@testable import MartletLiveQueries

extension FetchState {
  /// The first matching value. The time limit of the test bounds the wait.
  func value(where isWanted: (Value) -> Bool) async throws -> Value {
    for await value in values where isWanted(value) { return value }
    throw CancellationError()
  }
}
