import Dispatch
import Synchronization

/// What readers compare before each read, and where they learn that the log should be emptied.
final class CommitClock: Sendable {
  private let current = Atomic<UInt64>(0)
  private let beginning = Atomic<UInt64>(0)
  private let untold = DispatchGroup()
  private let releaseSnapshot = Atomic<Bool>(false)
  private let holders = Atomic<Int>(0)
  private let listeners = Atomic<Bool>(false)
  private let waking = Atomic<Bool>(false)

  /// The number of the last commit. Sequentially consistent: a reader that was answered by a writer
  /// must see at least that writer's commit.
  var number: UInt64 { current.load(ordering: .sequentiallyConsistent) }

  /// After `COMMIT` and before the first answer; on the writer's thread.
  func advance() -> UInt64 {
    current.add(1, ordering: .sequentiallyConsistent).newValue
  }

  /// The number of the last commit that was begun. A read that is under way when this is asked has seen no
  /// later one.
  var begun: UInt64 { beginning.load(ordering: .sequentiallyConsistent) }

  /// Before `COMMIT`; on the writer's thread.
  func begin() {
    untold.enter()
    beginning.store(number + 1, ordering: .sequentiallyConsistent)
  }

  /// When the commit has been told of, or has failed.
  func end() {
    beginning.store(number, ordering: .sequentiallyConsistent)
    untold.leave()
  }

  /// Returns when the commit that is under way, if there is one, has been told of.
  func settle() { untold.wait() }

  /// Whether no reader may keep its snapshot between reads.
  var mustReleaseSnapshots: Bool {
    get { releaseSnapshot.load(ordering: .sequentiallyConsistent) }
    set { releaseSnapshot.store(newValue, ordering: .sequentiallyConsistent) }
  }

  /// Whether readers that keep a snapshot can be told to let go of it; none is kept before.
  var canWake: Bool {
    get { waking.load(ordering: .relaxed) }
    set { waking.store(newValue, ordering: .relaxed) }
  }

  var allowsKeeping: Bool { canWake && !mustReleaseSnapshots }

  /// The number of readers that keep a snapshot between reads.
  var snapshotCount: Int { holders.load(ordering: .relaxed) }
  func hold(_ change: Int) { holders.add(change, ordering: .relaxed) }

  /// Whether anyone wants to hear of other programs' commits.
  var hasListeners: Bool {
    get { listeners.load(ordering: .relaxed) }
    set { listeners.store(newValue, ordering: .relaxed) }
  }
}
