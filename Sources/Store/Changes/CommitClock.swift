import Synchronization

/// What readers compare before each read, and where they learn that the log should be emptied.
final class CommitClock: Sendable {
  private let current = Atomic<UInt64>(0)
  private let letGo = Atomic<Bool>(false)
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

  /// Whether no reader may keep its snapshot between reads.
  var mustLetGo: Bool {
    get { letGo.load(ordering: .sequentiallyConsistent) }
    set { letGo.store(newValue, ordering: .sequentiallyConsistent) }
  }

  /// Whether readers that keep a snapshot can be told to let go of it; none is kept before.
  var canWake: Bool {
    get { waking.load(ordering: .relaxed) }
    set { waking.store(newValue, ordering: .relaxed) }
  }

  var allowsKeeping: Bool { canWake && !mustLetGo }

  /// The number of readers that keep a snapshot between reads.
  var holderCount: Int { holders.load(ordering: .relaxed) }
  func hold(_ change: Int) { holders.add(change, ordering: .relaxed) }

  /// Whether anyone wants to hear of other programs' commits.
  var someoneListens: Bool {
    get { listeners.load(ordering: .relaxed) }
    set { listeners.store(newValue, ordering: .relaxed) }
  }
}
