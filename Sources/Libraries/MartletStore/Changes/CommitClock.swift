import Dispatch
import Synchronization

/// The commit number that readers compare before each read, and the flags that make them release
/// their snapshots.
final class CommitClock: Sendable {
  private let current = Atomic<UInt64>(0)
  private let beginning = Atomic<UInt64>(0)
  private let untold = DispatchGroup()
  private let releaseSnapshot = Atomic<Bool>(false)
  private let holders = Atomic<Int>(0)
  private let listeners = Atomic<Bool>(false)
  private let waking = Atomic<Bool>(false)

  /// The number of the last commit. Sequentially consistent, because a read that starts after a
  /// write has returned must see that write's commit.
  var number: UInt64 { current.load(ordering: .sequentiallyConsistent) }

  /// Advances the number. Called on the writer's thread after `COMMIT` and before any write gets
  /// its result.
  func advance() -> UInt64 {
    current.add(1, ordering: .sequentiallyConsistent).newValue
  }

  /// The number of the last commit that has started. A read in progress when this is read has not
  /// seen a later commit.
  var begun: UInt64 { beginning.load(ordering: .sequentiallyConsistent) }

  /// Marks the start of a commit. Called on the writer's thread before `COMMIT`.
  func begin() {
    untold.enter()
    beginning.store(number + 1, ordering: .sequentiallyConsistent)
  }

  /// Marks the end of a commit, after it was published or has failed.
  func end() {
    beginning.store(number, ordering: .sequentiallyConsistent)
    untold.leave()
  }

  /// Blocks until the commit in progress, if any, has been published or has failed.
  func settle() { untold.wait() }

  /// Whether readers must release their snapshots after each read, so that the WAL can restart.
  var mustReleaseSnapshots: Bool {
    get { releaseSnapshot.load(ordering: .sequentiallyConsistent) }
    set { releaseSnapshot.store(newValue, ordering: .sequentiallyConsistent) }
  }

  /// Whether the event loops can be woken to release their snapshots. Until then no reader keeps
  /// one.
  var canWake: Bool {
    get { waking.load(ordering: .relaxed) }
    set { waking.store(newValue, ordering: .relaxed) }
  }

  var allowsKeeping: Bool { canWake && !mustReleaseSnapshots }

  /// The number of readers that keep a snapshot between reads.
  var snapshotCount: Int { holders.load(ordering: .relaxed) }
  func hold(_ change: Int) { holders.add(change, ordering: .relaxed) }

  /// Whether commits by other programs are detected and published.
  var hasListeners: Bool {
    get { listeners.load(ordering: .relaxed) }
    set { listeners.store(newValue, ordering: .relaxed) }
  }
}
