import Synchronization

/// Up until it is lowered, once.
final class Flag: Sendable {
  private let raised = Atomic(true)
  var isUp: Bool { raised.load(ordering: .acquiring) }
  /// Whether it was up.
  @discardableResult
  func lower() -> Bool { raised.exchange(false, ordering: .acquiringAndReleasing) }
}
