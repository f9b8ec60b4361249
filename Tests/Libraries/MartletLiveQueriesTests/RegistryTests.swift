import MartletJSON
import MartletStore
import MartletTime
import Testing

@testable import MartletLiveQueries

/// Critical interleavings, step by step.
@Suite("Interleavings of runs and commits")
struct RegistryTests {
  private let source = LiveSource(key: "q") { _, _ in true }
  /// A reference to the registry, because `#expect` accepts no mutating calls on values.
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
      if registry.cancel(id, subscriber).query != nil { index.remove(id) }
    }
    func firstFreshRun(_ id: Registry.ID) -> UInt64 { registry.firstFreshRun(id) }
    /// Returns whether there is something to run now that was not there before.
    func touch(_ notice: CommitNotification) -> Bool {
      let wasIdle = registry.busyPriorities.isEmpty
      history.append(notice)
      registry.touch(index.touched(by: notice), notice.number)
      return wasIdle && !registry.busyPriorities.isEmpty
    }
    func touch(at now: Instant) -> Bool { registry.touch(at: now) }
    var nextChange: Instant? { registry.nextChange }
    func isBehind(_ id: Registry.ID) -> Bool { registry.isBehind(id) }
    func deliveredRuns(_ ids: [Registry.ID]) -> [UInt64]? { registry.deliveredRuns(ids) }
    func takeDirty(_ lane: Registry.Priority = .quick) -> [Run] { registry.takeDirty(lane) }
    var isIdle: Bool { registry.isIdle }
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

  @Test("A commit during the first run makes the query run again if it touched what was read")
  func commitDuringFirstRun() throws {
    let registry = Held()
    #expect(registry.subscribe(source) { _ in }.wakes)
    let run = try #require(registry.takeDirty().first)
    // Its dependencies are not known yet.
    #expect(!registry.touch(notice("t")))
    #expect(registry.finish([finished(run, "a")]).again)
    let again = try #require(registry.takeDirty().first)
    #expect(!registry.touch(notice("anything", number: 3)))
    #expect(!registry.finish([finished(again, "b")]).again)
  }

  @Test("A commit before a run's snapshot is in its result, even if its notification is late")
  func commitBeforeSnapshot() throws {
    let registry = Held()
    _ = registry.subscribe(source) { _ in }
    let run = try #require(registry.takeDirty().first)
    #expect(!registry.touch(notice("t", number: 1)))
    #expect(!registry.finish([finished(run, "a")]).again)
  }

  @Test("A run with new dependencies runs again if a commit touched them meanwhile")
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

  @Test("More commits during a run than the history holds count as a change of everything")
  func manyCommits() throws {
    let registry = Held()
    _ = registry.subscribe(source) { _ in }
    let run = try #require(registry.takeDirty().first)
    for number in 2..<1_000 { _ = registry.touch(notice("other", number: UInt64(number))) }
    #expect(registry.finish([finished(run, "a")]).again)
  }

  @Test("A subscriber that joins a first run after a commit waits for the next run")
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

  @Test("A query is behind while other results may contain a commit that touched it")
  func behind() throws {
    let registry = Held()
    let (one, _, _) = registry.subscribe(source) { _ in }
    let (other, _, _) = registry.subscribe(LiveSource(key: "other") { _, _ in true }) { _ in }
    _ = registry.finish(registry.takeDirty().map { finished($0, "a") })
    _ = registry.touch(notice("t", number: 2))
    let runs = registry.takeDirty().sorted { $0.id < $1.id }
    // Notified during the runs: either snapshot may or may not contain it.
    _ = registry.touch(notice("t", number: 3))
    var first = finished(runs[0], "b")
    first.snapshot = 2
    _ = registry.finish([first])
    #expect(!registry.isBehind(one) && registry.isBehind(other))
    #expect(registry.deliveredRuns([one, other]) == nil)
    var second = finished(runs[1], "b")
    second.snapshot = 3
    _ = registry.finish([second])
    // Commit 3 touched both, and the second query's snapshot may have contained it.
    #expect(registry.isBehind(one) && registry.isBehind(other))
    // After the question, the end of the run is delivered even if nothing changed.
    let last = registry.takeDirty().map {
      var run = finished($0, "b", changed: false)
      run.commit = 3
      run.snapshot = 3
      return run
    }
    #expect(registry.isBehind(one))
    #expect(registry.finish(last).updates.count == 2)
    #expect(!registry.isBehind(one) && !registry.isBehind(other))
    // The delivered states of both show one moment.
    #expect(registry.deliveredRuns([one, other])?.count == 2)
  }

  @Test("A slow query runs concurrently with quick ones")
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

  @Test("Commits during a run are never lost, and two of them lead to one further run")
  func commitsDuringRun() throws {
    let registry = Held()
    _ = registry.subscribe(source) { _ in }
    _ = registry.finish([finished(try #require(registry.takeDirty().first), "a")])
    #expect(registry.touch(notice("t")))
    let run = try #require(registry.takeDirty().first)
    #expect(!registry.touch(notice("t")))
    #expect(!registry.touch(notice("t")))
    // A query never runs twice at the same time.
    #expect(registry.takeDirty().isEmpty)
    #expect(registry.finish([finished(run, "b")]).again)
    #expect(registry.takeDirty().count == 1)
  }

  @Test("A commit that touches something else does not run the query")
  func otherTables() throws {
    let registry = Held()
    _ = registry.subscribe(source) { _ in }
    _ = registry.finish([finished(try #require(registry.takeDirty().first), "a")])
    #expect(!registry.touch(notice("other")))
    #expect(registry.takeDirty().isEmpty)
  }

  @Test("A subscriber that joins during a run receives a run that contains every earlier commit")
  func joiningDuringRun() throws {
    let registry = Held()
    let (id, _, _) = registry.subscribe(source) { _ in }
    _ = registry.finish([finished(try #require(registry.takeDirty().first), "a")])
    #expect(registry.firstFreshRun(id) == 1)
    // Touched but not running: the next run is the first fresh one.
    #expect(registry.touch(notice("t")))
    #expect(registry.firstFreshRun(id) == 2)
    let run = try #require(registry.takeDirty().first)
    #expect(registry.firstFreshRun(id) == 2)
    // Touched again during the run, which may not contain the commit.
    _ = registry.touch(notice("t"))
    #expect(registry.firstFreshRun(id) == 3)
    // A waiting subscriber is notified of the end of a run even if nothing changed.
    _ = registry.finish([finished(run, "a", changed: false)])
    let again = try #require(registry.takeDirty().first)
    let (updates, _) = registry.finish([finished(again, "a", changed: false)])
    #expect(updates.map(\.0.run) == [3])
  }

  @Test("A subscriber that joins after runs without changes receives the state from before them")
  func joiningAfterUnchangedRuns() throws {
    let registry = Held()
    let (id, _, _) = registry.subscribe(source) { _ in }
    _ = registry.finish([finished(try #require(registry.takeDirty().first), "a")])
    for _ in 0..<3 {
      _ = registry.touch(notice("t"))
      let run = try #require(registry.takeDirty().first)
      #expect(registry.finish([finished(run, "a", changed: false)]).updates.isEmpty)
    }
    // The later runs were not delivered, so no subscriber may wait for them.
    #expect(registry.firstFreshRun(id) == 1)
  }

  @Test("Equal queries share one entry")
  func sharing() {
    let registry = Held()
    for _ in 0..<100 { _ = registry.subscribe(source) { _ in } }
    #expect(registry.count == 1)
    #expect(registry.takeDirty().count == 1)
  }

  @Test("A query ends with its last subscriber, even during a run")
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

  @Test("The clock runs the queries that it changes, once, and no others")
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

  @Test("An unchanged result is not delivered to subscribers that have it")
  func unchanged() throws {
    let registry = Held()
    _ = registry.subscribe(source) { _ in }
    _ = registry.finish([finished(try #require(registry.takeDirty().first), "a")])
    _ = registry.touch(notice("t"))
    let run = try #require(registry.takeDirty().first)
    #expect(registry.finish([finished(run, "a", changed: false)]).updates.isEmpty)
  }

  @Test("A run that was given back runs again and notifies waiting subscribers")
  func givenBack() throws {
    let registry = Held()
    let (id, _, _) = registry.subscribe(source) { _ in }
    let run = try #require(registry.takeDirty().first)
    #expect(run.isNew)
    #expect(registry.firstFreshRun(id) == 1)
    registry.giveBack([(run.id, nil)])
    #expect(registry.firstFreshRun(id) == 1)
    let again = try #require(registry.takeDirty().first)
    // A commit during the run: a new subscriber waits for the next run.
    #expect(!registry.touch(notice("t")))
    #expect(registry.firstFreshRun(id) == 2)
    registry.giveBack([(again.id, nil)])
    let last = try #require(registry.takeDirty().first)
    var ended = finished(last, "a")
    ended.commit = 2
    let (updates, isMore) = registry.finish([ended])
    #expect(updates.count == 1 && updates[0].0.run >= 2 && !isMore)
    #expect(registry.firstFreshRun(id) == updates[0].0.run)
    // Or commits would be remembered for its sake.
    #expect(registry.isIdle)
  }

  @Test("A query whose run was given back is behind a commit that arrived during the run")
  func givenBackBehind() throws {
    let registry = Held()
    let (one, _, _) = registry.subscribe(source) { _ in }
    let (other, _, _) = registry.subscribe(LiveSource(key: "other") { _, _ in true }) { _ in }
    let noon = Instant(seconds: 1000)
    _ = registry.finish(
      registry.takeDirty().map { finished($0, "a", nextChange: $0.id == other ? noon : nil) })
    // The clock makes it run before any commit does.
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

  @Test("A query that turned out to be slow runs in the slow lane")
  func slowNow() throws {
    let registry = Held()
    _ = registry.subscribe(source) { _ in }
    let run = try #require(registry.takeDirty().first)
    registry.giveBack([(run.id, Registry.slow)])
    #expect(registry.busyPriorities == [.slow])
    #expect(registry.takeDirty(.slow).map(\.id) == [run.id])
  }
}
