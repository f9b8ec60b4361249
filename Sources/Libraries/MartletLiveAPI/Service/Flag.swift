import Synchronization

/// A flag that starts raised and can be lowered once, from any thread.
final class Flag: Sendable {
  private let raised = Atomic(true)
  var isUp: Bool { raised.load(ordering: .acquiring) }
  /// Lowers the flag. Returns whether it was raised before.
  @discardableResult
  func lower() -> Bool { raised.exchange(false, ordering: .acquiringAndReleasing) }
}
