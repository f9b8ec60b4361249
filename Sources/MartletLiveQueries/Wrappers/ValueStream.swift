import MartletStore
import Synchronization

extension EmbeddedDatabase {
  /// The values of a query as a sequence, followed from now on until the sequence ends.
  func values<Value: Sendable>(
    _ source: ValueSource<Value>
  ) -> AsyncThrowingStream<Value, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let position = Mutex(ValuePosition<Value>(firstRun: 0))
      let live = liveQueries
      // Under the lock, so that no state comes before it is known from which run on it counts.
      let subscription = position.withLock { place in
        let subscription = live.subscribe(source.work) { state in
          switch position.withLock({ $0.take(state) }) {
          case .wait, .same: break
          case .value(let value): continuation.yield(value)
          case .problem(let error): continuation.finish(throwing: error)
          }
        }
        place = ValuePosition(firstRun: subscription.firstFreshRun)
        return subscription
      }
      continuation.onTermination = { _ in subscription.cancel() }
    }
  }
}
