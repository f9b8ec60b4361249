import Dispatch
import MartletTesting
import Synchronization

/// Collects values from several threads for a test that waits for them.
public final class Collected<Element: Sendable>: Sendable {
  private let elements = Mutex<[Element]>([])
  private let added = DispatchSemaphore(value: 0)

  public init() {}

  public func add(_ element: Element) {
    elements.withLock { $0.append(element) }
    added.signal()
  }

  public var now: [Element] { elements.withLock { $0 } }

  /// Blocks until `count` more values were added, and returns all values; nil after a minute.
  public func wait(for count: Int = 1) -> [Element]? {
    for _ in 0..<count where added.wait(timeout: .now() + Deadline.hang) == .timedOut { return nil }
    return now
  }
}
