import Dispatch
import Glibc

/// SIGTERM and SIGINT as calls: the first one, and every further one.
final class Signals {
  private let sources: [any DispatchSourceSignal]

  init(first: @escaping @Sendable () -> Void, further: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "martlet.signals")
    nonisolated(unsafe) var count = 0
    sources = [SIGTERM, SIGINT].map { number in
      // Ignored, or the default would end the process before the source hears of it.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        // On one serial queue.
        count += 1
        if count == 1 { first() } else { further() }
      }
      source.resume()
      return source
    }
  }
}
