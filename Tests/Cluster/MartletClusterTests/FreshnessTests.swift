import MartletStore
import Synchronization
import Testing

@testable import MartletCluster

@Suite("Reads that wait for the primary's file") struct FreshnessTests {
  @Test("A read waits for the entry that was on its way when it came, and for no later one")
  func entries() {
    let freshness = Freshness()
    let done = Mutex<[Int64]>([])
    func add(_ entry: Int64) {
      freshness.add(
        .init(deadline: .now + .seconds(3_600), entry: entry) { isFresh in
          #expect(isFresh)
          done.withLock { $0.append(entry) }
        })
    }
    for entry: Int64 in [3, 1, 2] { add(entry) }
    freshness.release(upTo: 0)
    #expect(done.withLock { $0 }.isEmpty)
    freshness.release(upTo: 2)
    #expect(done.withLock { $0 } == [1, 2])
    add(4)
    freshness.release(upTo: 4)
    #expect(done.withLock { $0 } == [1, 2, 3, 4])
    #expect(freshness.take().isEmpty)
  }

  @Test("An entry is shown when the writer has published it, not when the log has it")
  func shown() {
    let appender = LogAppender(latency: .milliseconds(20), stagingTime: .seconds(1))
    let published = Mutex<[Int64]>([])
    appender.whenPublished { entry in published.withLock { $0.append(entry) } }
    #expect(appender.lastShown >= appender.lastSent)
    // Without a log nothing is appended, but that is not known before.
    #expect(throws: ReplicationError.self) {
      try appender.append(ReplicatedEntry(seq: 5, bytes: []))
    }
    #expect(appender.lastShown < appender.lastSent)
    appender.published(5)
    #expect(appender.lastShown >= appender.lastSent)
    #expect(published.withLock { $0 } == [5])
  }
}
