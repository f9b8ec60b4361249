import Dispatch
import Synchronization

/// Permits one download to be produced at a time, and limits the number of files that wait on disk
/// for their clients.
final class DownloadSlots: Sendable {
  let queue = DispatchQueue(label: "downloads", qos: .utility)
  private let isBusy = Atomic(false)
  private let waiting = Atomic(0)
  private let most: Int

  init(most: Int) { self.most = most }

  /// The reason why another download cannot start now; `nil` if it can.
  func begin() -> String? {
    if let reason = isFull() { return reason }
    let isFree = !isBusy.exchange(true, ordering: .acquiringAndReleasing)
    return isFree ? nil : "Another download is being prepared. Try again in 5 s."
  }

  /// The reason why no more files may wait for their clients; `nil` if one may.
  func isFull() -> String? {
    guard waiting.load(ordering: .relaxed) >= most else { return nil }
    return "Too many downloads are in progress, at most \(most) are permitted. Try again in 5 s."
  }

  /// How many documents may wait for their turn.
  private static let mostQueued = 16
  private let queued = Atomic(0)

  /// Lets a document wait for its turn, or returns the reason why it cannot.
  func wait() -> String? {
    let isFree = queued.add(1, ordering: .relaxed).newValue <= DownloadSlots.mostQueued
    if isFree { return nil }
    beginWaiting()
    return "Too many large answers are being prepared. Try again in 5 s."
  }

  /// A document does not wait any more.
  func beginWaiting() { queued.subtract(1, ordering: .relaxed) }

  func end() { isBusy.store(false, ordering: .releasing) }

  /// A place that a file holds as long as it is on disk.
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
