import MartletStore
import Synchronization

extension ObservableDatabase {
  /// The values of a query as a sequence. The query is followed until the sequence ends.
  func values<Value: Sendable>(
    _ source: ValueSource<Value>
  ) -> AsyncThrowingStream<Value, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let position = Mutex(StreamPosition())
      let live = liveQueries
      // Under the lock, so that no state arrives before the first valid run is known.
      let subscription = position.withLock { place in
        let subscription = live.subscribe(source.work) { state in
          switch position.withLock({ $0.next(state) }) {
          case .wait, .unchanged, .current: break
          case .result(let result, _): continuation.yield(result.value(as: Value.self))
          case .gone: continuation.finish(throwing: NotFound())
          case .problem(let error): continuation.finish(throwing: error)
          }
        }
        place = StreamPosition(firstRun: subscription.firstFreshRun)
        return subscription
      }
      continuation.onTermination = { _ in subscription.cancel() }
    }
  }
}
