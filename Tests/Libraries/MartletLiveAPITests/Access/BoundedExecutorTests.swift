import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import MartletLiveAPI

@Suite("The bounded worker pool") struct BoundedExecutorTests {
  @Test("The numbers of running and waiting jobs are limited")
  func bounds() {
    let verifier = BoundedExecutor(width: 2, waiting: 3)
    let gate = DispatchSemaphore(value: 0)
    let started = DispatchSemaphore(value: 0)
    let group = DispatchGroup()
    let running = Atomic(0)
    let most = Atomic(0)
    func submit() -> Bool {
      group.enter()
      let isTaken = verifier.run {
        most.max(running.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
        started.signal()
        gate.wait()
        running.subtract(1, ordering: .relaxed)
        group.leave()
      }
      if !isTaken { group.leave() }
      return isTaken
    }
    #expect((0..<7).map { _ in submit() } == [true, true, true, true, true, false, false])
    // Both run at the same time.
    for _ in 0..<2 { #expect(started.wait(timeout: .now() + Deadline.hang) == .success) }
    for _ in 0..<5 { gate.signal() }
    group.wait()
    #expect(most.load(ordering: .relaxed) == 2)
    // The queue has room again.
    #expect(submit())
    gate.signal()
    group.wait()
  }
}
