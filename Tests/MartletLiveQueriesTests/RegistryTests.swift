import MartletJSON
import MartletStore
import MartletTime
import Testing

@testable import MartletLiveQueries

/// The bad interleavings, held open step by step.
@Suite("The order of running and committing")
struct RegistryTests {
  private let source = LiveSource(key: "q") { _, _ in true }
  /// By reference, because `#expect` takes no mutating calls on values.
  private final class Held {
    private var registry = Registry()
    private var index = DependencyIndex(Watch())
    private var history = CommitHistory()

    var count: Int { registry.count }
    func subscribe(
      _ source: LiveSource, _ update: @escaping Registry.Update
    ) -> (query: Registry.ID, subscriber: UInt64, wakes: Bool) {
      registry.subscribe(LiveWork(source), update)
    }
    func cancel(_ id: Registry.ID, _ subscriber: UInt64) {
      if registry.cancel(id, subscriber) { index.remove(id) }
    }
    func firstFreshRun(_ id: Registry.ID) -> UInt64 { registry.firstFreshRun(id) }
    /// Gives whether there is something to run now, where there was nothing.
    func touch(_ notice: CommitNotification) -> Bool {
      let wasIdle = registry.busyPriorities.isEmpty
      history.append(notice)
      registry.touch(index.touched(by: notice), notice.number)
      return wasIdle && !registry.busyPriorities.isEmpty
    }
    func touch(at now: Instant) -> Bool { registry.touch(at: now) }
    var nextChange: Instant? { registry.nextChange }
    func isBehind(_ id: Registry.ID) -> Bool { registry.isBehind(id) }
    func toldRuns(_ ids: [Registry.ID]) -> [UInt64]? { registry.toldRuns(ids) }
    func takeDirty(_ lane: Registry.Priority = .quick) -> [Run] { registry.takeDirty(lane) }
    func giveBack(_ runs: [(id: Registry.ID, cost: UInt64?)]) { registry.giveBack(runs) }
    var busyPriorities: [Registry.Priority] { registry.busyPriorities }
    func finish(
      _ runs: [FinishedRun]
    ) -> (updates: [(LiveState, [Registry.Update])], again: Bool) {
      var changed: [Registry.ID: UInt64] = [:]
      for run in runs where index.set(run.dependencies, for: run.id) {
        changed[run.id] = run.commit
      }
      let updates = registry.finish(runs, missed: history.touches(of: changed, in: index))
      for id in registry.gone(runs.map(\.id)) { index.remove(id) }
      return (updates, !registry.busyPriorities.isEmpty)
    }
  }

  private func notice(_ table: String, number: UInt64 = 2) -> CommitNotification {
    CommitNotification(number: number, everything: false, tables: [table: .anyRow])
  }
  private func finished(
    _ run: Run, _ text: String, changed: Bool = true, nextChange: Instant? = nil
  ) -> FinishedRun {
    FinishedRun(
      id: run.id, outcome: .result(LiveResult(SharedBytes(Array(text.utf8)))), isChanged: changed,
      dependencies: Dependencies(tables: ["t": .init()]), nextChange: nextChange,
      commit: 1)
  }

  @Test("A commit while the first run is under way makes it run again if it touched what was read")
  func commitDuringFirstRun() throws {
    let registry = Held()
    #expect(registry.subscribe(source) { _ in }.wakes)
    let run = try #require(registry.takeDirty().first)
    // What it reads is not known yet.
    #expect(!registry.touch(notice("t")))
    #expect(registry.finish([finished(run, "a")]).again)
    let again = try #require(registry.takeDirty().first)
    #expect(!registry.touch(notice("anything", number: 3)))
    #expect(!registry.finish([finished(again, "b")]).again)
  }

  @Test("A commit before the run's snapshot is in its result, whenever it is told")
  func commitBeforeSnapshot() throws {
    let registry = Held()
    _ = registry.subscribe(source) { _ in }
    let run = try #require(registry.takeDirty().first)
    #expect(!registry.touch(notice("t", number: 1)))
    #expect(!registry.finish([finished(run, "a")]).again)
  }

  @Test("A run that reads something new may have missed a commit that touched that")
  func newDependencies() throws {
    let registry = Held()
    _ = registry.subscribe(source) { _ in }
    _ = registry.finish([finished(try #require(registry.takeDirty().first), "a")])
    _ = registry.touch(notice("t"))
    var run = finished(try #require(registry.takeDirty().first), "b")
    #expect(!registry.touch(notice("u", number: 3)))
    run.dependencies = Dependencies(tables: ["u": .init()])
    #expect(registry.finish([run]).again)
  }

  @Test("Very many commits while a query runs count as a change of everything")
  func manyCommits() throws {
    let registry = Held()
    _ = registry.subscribe(source) { _ in }
    let run = try #require(registry.takeDirty().first)
    for number in 2..<1_000 { _ = registry.touch(notice("other", number: UInt64(number))) }
    #expect(registry.finish([finished(run, "a")]).again)
  }

  @Test("Who joins a first run after a commit waits for the run after it, which comes")
  func joiningFirstRunAfterCommit() throws {
    let registry = Held()
    let (id, _, _) = registry.subscribe(source) { _ in }
    let run = try #require(registry.takeDirty().first)
    #expect(registry.firstFreshRun(id) == 1)
    _ = registry.touch(notice("elsewhere"))
    #expect(registry.firstFreshRun(id) == 2)
    #expect(registry.finish([finished(run, "a")]).again)
    let again = try #require(registry.takeDirty().first)
    #expect(registry.finish([finished(again, "a", changed: false)]).updates.map(\.0.run) == [2])
  }

  @Test("A query is behind others whose read may hold a commit that touched it, until it has run")
  func behind() throws {
    let registry = Held()
    let (one, _, _) = registry.subscribe(source) { _ in }
    let (other, _, _) = registry.subscribe(LiveSource(key: "other") { _, _ in true }) { _ in }
    _ = registry.finish(registry.takeDirty().map { finished($0, "a") })
    _ = registry.touch(notice("t", number: 2))
    let runs = registry.takeDirty().sorted { $0.id < $1.id }
    // Told of while they run: one may have seen it, and it is not known whether the other has.
    _ = registry.touch(notice("t", number: 3))
    var first = finished(runs[0], "b")
    first.snapshot = 2
    _ = registry.finish([first])
    #expect(!registry.isBehind(one) && registry.isBehind(other))
    #expect(registry.toldRuns([one, other]) == nil)
    var second = finished(runs[1], "b")
    second.snapshot = 3
    _ = registry.finish([second])
    // Each has been touched by the third, which the second one's read may have held.
    #expect(registry.isBehind(one) && registry.isBehind(other))
    // Whoever asks is told of the end of the run, also where it changed nothing.
    let last = registry.takeDirty().map {
      var run = finished($0, "b", changed: false)
      run.commit = 3
      run.snapshot = 3
      return run
    }
    #expect(registry.isBehind(one))
    #expect(registry.finish(last).updates.count == 2)
    #expect(!registry.isBehind(one) && !registry.isBehind(other))
    // What was told of the two belongs together.
    #expect(registry.toldRuns([one, other])?.count == 2)
  }

  @Test("A slow query runs beside the quick ones")
  func lanes() throws {
    let registry = Held()
    _ = registry.subscribe(source) { _ in }
    _ = registry.subscribe(LiveSource(key: "other") { _, _ in true }) { _ in }
    var runs = registry.takeDirty().map { finished($0, "a") }
    runs[0].cost = Registry.slow
    _ = registry.finish(runs)
    _ = registry.touch(notice("t"))
    #expect(registry.busyPriorities == [.quick, .slow])
    #expect(registry.takeDirty(.slow).map(\.id) == [runs[0].id])
    #expect(registry.takeDirty(.quick).map(\.id) == [runs[1].id])
    #expect(registry.busyPriorities.isEmpty)
  }

  @Test("A commit while it runs is never lost, and two of them are one run")
  func commitsDuringRun() throws {
    let registry = Held()
    _ = registry.subscribe(source) { _ in }
    _ = registry.finish([finished(try #require(registry.takeDirty().first), "a")])
    #expect(registry.touch(notice("t")))
    let run = try #require(registry.takeDirty().first)
    #expect(!registry.touch(notice("t")))
    #expect(!registry.touch(notice("t")))
    // One query never runs twice at once.
    #expect(registry.takeDirty().isEmpty)
    #expect(registry.finish([finished(run, "b")]).again)
    #expect(registry.takeDirty().count == 1)
  }

  @Test("A commit that touches something else does not run it")
  func otherTables() throws {
    let registry = Held()
    _ = registry.subscribe(source) { _ in }
    _ = registry.finish([finished(try #require(registry.takeDirty().first), "a")])
    #expect(!registry.touch(notice("other")))
    #expect(registry.takeDirty().isEmpty)
  }

  @Test("Who joins while a run is under way is shown a run that saw every commit before")
  func joiningDuringRun() throws {
    let registry = Held()
    let (id, _, _) = registry.subscribe(source) { _ in }
    _ = registry.finish([finished(try #require(registry.takeDirty().first), "a")])
    #expect(registry.firstFreshRun(id) == 1)
    // Touched, not yet run: the run that comes is the first that is fresh.
    #expect(registry.touch(notice("t")))
    #expect(registry.firstFreshRun(id) == 2)
    let run = try #require(registry.takeDirty().first)
    #expect(registry.firstFreshRun(id) == 2)
    // Touched again while it runs: that run may not have seen the commit.
    _ = registry.touch(notice("t"))
    #expect(registry.firstFreshRun(id) == 3)
    // Who waits is told of the end of a run even when nothing changed.
    _ = registry.finish([finished(run, "a", changed: false)])
    let again = try #require(registry.takeDirty().first)
    let (updates, _) = registry.finish([finished(again, "a", changed: false)])
    #expect(updates.map(\.0.run) == [3])
  }

  @Test("Who joins after runs that changed nothing is shown the state from before them")
  func joiningAfterUnchangedRuns() throws {
    let registry = Held()
    let (id, _, _) = registry.subscribe(source) { _ in }
    _ = registry.finish([finished(try #require(registry.takeDirty().first), "a")])
    for _ in 0..<3 {
      _ = registry.touch(notice("t"))
      let run = try #require(registry.takeDirty().first)
      #expect(registry.finish([finished(run, "a", changed: false)]).updates.isEmpty)
    }
    // Nobody was told of the later runs, so nobody may wait for them.
    #expect(registry.firstFreshRun(id) == 1)
  }

  @Test("Equal queries are one")
  func sharing() {
    let registry = Held()
    for _ in 0..<100 { _ = registry.subscribe(source) { _ in } }
    #expect(registry.count == 1)
    #expect(registry.takeDirty().count == 1)
  }

  @Test("A query ends with its last subscriber, also while it runs")
  func ending() throws {
    let registry = Held()
    let (id, first, _) = registry.subscribe(source) { _ in }
    let (_, second, _) = registry.subscribe(source) { _ in }
    let run = try #require(registry.takeDirty().first)
    registry.cancel(id, first)
    #expect(registry.count == 1)
    registry.cancel(id, second)
    #expect(registry.count == 0)
    let (updates, again) = registry.finish([finished(run, "a")])
    #expect(updates.isEmpty && !again)
    #expect(!registry.touch(notice("t")))
  }

  @Test("The clock runs what it changes, once, and nothing else")
  func clock() throws {
    let registry = Held()
    _ = registry.subscribe(source) { _ in }
    _ = registry.subscribe(LiveSource(key: "other") { _, _ in true }) { _ in }
    let runs = registry.takeDirty()
    let noon = Instant(seconds: 1000)
    _ = registry.finish([
      finished(runs[0], "a", nextChange: noon), finished(runs[1], "b"),
    ])
    #expect(registry.nextChange == noon)
    #expect(!registry.touch(at: noon.adding(milliseconds: -1)))
    #expect(registry.touch(at: noon))
    #expect(registry.takeDirty().map(\.work.name) == ["q"])
    #expect(registry.nextChange == nil)
  }

  @Test("An unchanged result is announced to nobody who has it")
  func unchanged() throws {
    let registry = Held()
    _ = registry.subscribe(source) { _ in }
    _ = registry.finish([finished(try #require(registry.takeDirty().first), "a")])
    _ = registry.touch(notice("t"))
    let run = try #require(registry.takeDirty().first)
    #expect(registry.finish([finished(run, "a", changed: false)]).updates.isEmpty)
  }

  @Test("A run that was given back runs again, and followers who wait for it are not forgotten")
  func givenBack() throws {
    let registry = Held()
    let (id, _, _) = registry.subscribe(source) { _ in }
    let run = try #require(registry.takeDirty().first)
    #expect(run.isNew)
    #expect(registry.firstFreshRun(id) == 1)
    registry.giveBack([(run.id, nil)])
    #expect(registry.firstFreshRun(id) == 1)
    let again = try #require(registry.takeDirty().first)
    // A commit during the run: who comes now waits for the run after it.
    #expect(!registry.touch(notice("t")))
    #expect(registry.firstFreshRun(id) == 2)
    registry.giveBack([(again.id, nil)])
    let last = try #require(registry.takeDirty().first)
    var ended = finished(last, "a")
    ended.commit = 2
    let (updates, isMore) = registry.finish([ended])
    #expect(updates.count == 1 && updates[0].0.run >= 2 && !isMore)
    #expect(registry.firstFreshRun(id) == updates[0].0.run)
  }

  @Test("A run that was given back is behind a commit that came while it ran")
  func givenBackBehind() throws {
    let registry = Held()
    let (one, _, _) = registry.subscribe(source) { _ in }
    let (other, _, _) = registry.subscribe(LiveSource(key: "other") { _, _ in true }) { _ in }
    let noon = Instant(seconds: 1000)
    _ = registry.finish(
      registry.takeDirty().map { finished($0, "a", nextChange: $0.id == other ? noon : nil) })
    // The clock has it run, and no commit until then.
    #expect(registry.touch(at: noon))
    #expect(registry.takeDirty().map(\.id) == [other])
    _ = registry.touch(notice("t", number: 3))
    registry.giveBack([(other, nil)])
    let run = try #require(registry.takeDirty().first { $0.id == one })
    registry.giveBack([(other, nil)])
    var ended = finished(run, "b")
    ended.commit = 3
    ended.snapshot = 3
    _ = registry.finish([ended])
    #expect(!registry.isBehind(one))
    #expect(registry.isBehind(other))
  }

  @Test("One that turned out to be slow runs in the slow lane")
  func slowNow() throws {
    let registry = Held()
    _ = registry.subscribe(source) { _ in }
    let run = try #require(registry.takeDirty().first)
    registry.giveBack([(run.id, Registry.slow)])
    #expect(registry.busyPriorities == [.slow])
    #expect(registry.takeDirty(.slow).map(\.id) == [run.id])
  }
}
