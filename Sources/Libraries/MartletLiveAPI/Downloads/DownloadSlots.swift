import Dispatch
import MartletStore
import Synchronization

/// Gives downloads their turns, and limits the files that wait on disk for their clients.
final class DownloadSlots: Sendable {
  let queue = DispatchQueue(label: "downloads", qos: .utility, attributes: .concurrent)
  /// The files that wait, and their bytes, by client.
  private let waiting = Mutex<[Int: (count: Int, bytes: Int)]>([:])
  private let most: Int
  private let mostOfClient: Int

  init(most: Int, perClient: Int = .max) {
    self.most = most
    mostOfClient = perClient
  }

  /// The reason why no more files may wait for a client; `nil` if one may.
  func isFull(for client: Int) -> String? {
    let (all, own) = waiting.withLock {
      ($0.values.reduce(0) { $0 + $1.count }, $0[client]?.count ?? 0)
    }
    guard all >= most || own >= mostOfClient else { return nil }
    let count = all >= most ? "\(most)" : "\(mostOfClient) of one client"
    return "Too many downloads are in progress, at most \(count) are permitted. Try again in 5 s."
  }

  // MARK: Turns

  /// A download that waits for its turn.
  private struct Waiting: Sendable {
    let run: @Sendable () -> Void
    let refuse: @Sendable (String) -> Void
  }

  private struct Turns {
    var waiting = FairQueue<Int, Waiting>()
    /// The clients whose downloads are being produced.
    var running: Set<Int> = []
  }

  private let turns = Mutex(Turns())
  /// How many downloads are produced at a time, each of another client: a long one does not hold
  /// up the short one of another client.
  private static let width = 2
  /// How many downloads may wait in all, and for one client.
  private static let mostWaiting = (all: 64, ofClient: 4)

  /// Produces a download on the queue when it is its client's turn. If too many are waiting,
  /// `refuse` is called with a reason.
  func takeTurn(
    for client: Int, _ run: @escaping @Sendable () -> Void,
    refuse: @escaping @Sendable (String) -> Void
  ) {
    let (starts, refused): (Bool, Waiting?) = turns.withLock { turns in
      if turns.running.count < DownloadSlots.width, turns.running.insert(client).inserted {
        return (true, nil)
      }
      let own = Waiting(run: run, refuse: refuse)
      guard turns.waiting.count(of: client) < DownloadSlots.mostWaiting.ofClient else {
        return (false, own)
      }
      var evicted: Waiting?
      if turns.waiting.count >= DownloadSlots.mostWaiting.all {
        evicted = turns.waiting.makeRoom(for: client)
        guard evicted != nil else { return (false, own) }
      }
      turns.waiting.append(own, of: client)
      return (false, evicted)
    }
    refused?.refuse("Too many downloads are waiting. Try again in 5 s.")
    if starts { start(client, run) }
  }

  private func start(_ client: Int, _ run: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      run()
      let next = turns.withLock { turns in
        turns.running.remove(client)
        let next = turns.waiting.popFirst { client, _ in turns.running.contains(client) }
        if let next { turns.running.insert(next.client) }
        return next
      }
      if let next { start(next.client, next.element.run) }
    }
  }

  /// The most bytes on disk, of one client and in all. A download is as large as the database, so
  /// these hold only where the files of a client are limited.
  private static let mostBytes = (ofClient: 256 << 20, all: 1 << 30)

  /// A place that a file holds as long as it is on disk.
  func place(for client: Int) -> Place { Place(self, client) }

  final class Place: Sendable {
    private let lane: DownloadSlots
    private let client: Int
    private let bytes = Atomic(0)

    fileprivate init(_ lane: DownloadSlots, _ client: Int) {
      self.lane = lane
      self.client = client
      lane.waiting.withLock { $0[client, default: (0, 0)].count += 1 }
    }

    /// Counts bytes of the file. Returns false if they are too many.
    func add(_ count: Int) -> Bool {
      let isFree = lane.waiting.withLock { waiting in
        let all = waiting.values.reduce(count) { $0 + $1.bytes }
        let own = (waiting[client]?.bytes ?? 0) + count
        let isFree =
          lane.mostOfClient == .max
          || own <= DownloadSlots.mostBytes.ofClient
            && all <= DownloadSlots.mostBytes.all
        if isFree { waiting[client, default: (0, 0)].bytes += count }
        return isFree
      }
      if isFree { bytes.add(count, ordering: .relaxed) }
      return isFree
    }

    deinit {
      lane.waiting.withLock { waiting in
        guard var left = waiting[client] else { return }
        left.count -= 1
        left.bytes -= bytes.load(ordering: .relaxed)
        waiting[client] = left.count > 0 ? left : nil
      }
    }
  }
}
