import Testing

@testable import MartletLiveQueries

extension FetchState {
  /// Returns with the first value that is as wanted; the test's time limit is the end of patience.
  func value(where isWanted: (Value) -> Bool) async throws -> Value {
    for await value in values where isWanted(value) { return value }
    throw CancellationError()
  }
}
