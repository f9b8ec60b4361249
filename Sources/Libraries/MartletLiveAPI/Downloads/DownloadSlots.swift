import Dispatch
import Synchronization

/// Permits one download to be produced at a time, and limits the number of files that wait on disk
/// for their clients.
final class DownloadSlots: Sendable {
  let queue = DispatchQueue(label: "downloads", qos: .utility)
  private let isBusy = Atomic(false)
  /// The files that wait, by client.
  private let waiting = Mutex<[Int: Int]>([:])
  private let most: Int
  private let mostOfClient: Int

  init(most: Int, perClient: Int = .max) {
    self.most = most
    mostOfClient = perClient
  }

  /// The reason why another download of a client cannot start now; `nil` if it can.
  func begin(for client: Int) -> String? {
    if let reason = isFull(for: client) { return reason }
    let isFree = !isBusy.exchange(true, ordering: .acquiringAndReleasing)
    return isFree ? nil : "Another download is being prepared. Try again in 5 s."
  }

  /// The reason why no more files may wait for a client; `nil` if one may.
  func isFull(for client: Int) -> String? {
    let (all, own) = waiting.withLock { ($0.values.reduce(0, +), $0[client] ?? 0) }
    guard all >= most || own >= mostOfClient else { return nil }
    let count = all >= most ? "\(most)" : "\(mostOfClient) of one client"
    return "Too many downloads are in progress, at most \(count) are permitted. Try again in 5 s."
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
  func place(for client: Int) -> Place { Place(self, client) }

  final class Place: Sendable {
    private let lane: DownloadSlots
    private let client: Int

    fileprivate init(_ lane: DownloadSlots, _ client: Int) {
      self.lane = lane
      self.client = client
      lane.waiting.withLock { $0[client, default: 0] += 1 }
    }

    deinit {
      lane.waiting.withLock { waiting in
        let left = (waiting[client] ?? 1) - 1
        waiting[client] = left > 0 ? left : nil
      }
    }
  }
}
