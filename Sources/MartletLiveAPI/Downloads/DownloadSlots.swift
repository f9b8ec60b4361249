import Dispatch
import Synchronization

/// The one place where files are made, and a bound to those that wait for their clients on the disk.
final class DownloadSlots: Sendable {
  let queue = DispatchQueue(label: "downloads", qos: .utility)
  private let isBusy = Atomic(false)
  private let waiting = Atomic(0)
  private let most: Int

  init(most: Int) { self.most = most }

  /// Why another file is not made now; `nil` where it may.
  func begin() -> String? {
    guard waiting.load(ordering: .relaxed) < most else {
      return "Other files wait for their clients, as many as there may be: \(most)."
    }
    let isFree = !isBusy.exchange(true, ordering: .acquiringAndReleasing)
    return isFree ? nil : "Another file is being made."
  }

  func end() { isBusy.store(false, ordering: .releasing) }

  /// Taken by a file for as long as it lies on the disk.
  func place() -> Place { Place(self) }

  final class Place: Sendable {
    private let lane: DownloadSlots

    fileprivate init(_ lane: DownloadSlots) {
      self.lane = lane
      lane.waiting.add(1, ordering: .relaxed)
    }

    deinit { lane.waiting.subtract(1, ordering: .relaxed) }
  }
}
