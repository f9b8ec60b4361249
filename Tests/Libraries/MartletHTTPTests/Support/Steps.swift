import MartletHTTP

/// An event source that is a closure.
final class Steps: EventSource {
  private let step: () -> EventStream.Next
  private let onClose: () -> Void

  init(_ step: @escaping () -> EventStream.Next = { .wait }, onClose: @escaping () -> Void = {}) {
    self.step = step
    self.onClose = onClose
  }

  func next() -> EventStream.Next { step() }
  func closed() { onClose() }
}
