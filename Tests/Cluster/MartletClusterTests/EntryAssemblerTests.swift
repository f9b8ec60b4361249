import MartletStore
import TestSupport
import Testing

@testable import MartletCluster

@Suite("Parts of entries") struct EntryAssemblerTests {
  private typealias Part = EntryAssembler.Part

  private func part(
    _ seq: Int64, _ number: Int64, of count: Int64 = 1, epoch: Int64 = 1, _ byte: UInt8 = 0
  ) -> Part {
    Part(
      place: LogPlace.first(of: seq) + number, isLast: number == count - 1, epoch: epoch,
      bytes: [byte])
  }

  @Test("Parts of an entry are put together in order") func parts() {
    var assembler = EntryAssembler(after: 4)
    #expect(assembler.add(part(5, 0, of: 3, 1)) == .needsMore)
    #expect(assembler.add(part(5, 1, of: 3, 2)) == .needsMore)
    #expect(assembler.entries.isEmpty)
    #expect(assembler.add(part(5, 2, of: 3, 3)) == .complete)
    #expect(assembler.add(part(6, 0, 9)) == .complete)
    let entries = assembler.take()
    #expect(entries.map(\.seq) == [5, 6] && entries.map(\.bytes) == [[1, 2, 3], [9]])
    #expect(assembler.take().isEmpty && assembler.next == LogPlace.first(of: 7))
  }

  @Test("A missing entry is a gap, also at its second part") func gaps() {
    var assembler = EntryAssembler(after: 4)
    #expect(assembler.add(part(7, 0)) == .gap(found: 7))
    #expect(assembler.add(part(5, 1, of: 2)) == .gap(found: 5))
    #expect(assembler.add(part(5, 0)) == .complete)
  }

  /// What a primary has left behind in the middle of an entry is deleted by the next one, which
  /// writes another entry there, with more or fewer parts.
  @Test("Parts of two primaries are not mixed", arguments: 1...4)
  func abandoned(_ count: Int64) {
    var assembler = EntryAssembler(after: 4)
    #expect(assembler.add(part(5, 0, of: 9, 1)) == .needsMore)
    #expect(assembler.add(part(5, 1, of: 9, 1)) == .needsMore)
    // What is read next, from the third part on.
    let next = (0..<count).map { part(5, $0, of: count, epoch: 2, 2) } + [part(6, 0, epoch: 2, 3)]
    let first = next.first { $0.place >= assembler.next }
    #expect(assembler.add(first!) == .startAgain)
    #expect(assembler.next == LogPlace.first(of: 5))
    for part in next { _ = assembler.add(part) }
    let wanted = [[UInt8](repeating: 2, count: Int(count)), [3]]
    #expect(assembler.entries.map(\.bytes) == wanted)
  }
}

@Suite("Trimming the log") struct LogTrimmingTests {
  private let mebibyte = 1 << 20

  /// A log with so many entries of a mebibyte.
  private func log(_ count: Int64) -> LogTrimming {
    var trimming = LogTrimming()
    for seq in 1...count { trimming.add(seq, bytes: mebibyte) }
    return trimming
  }

  @Test("The last 64 MiB are kept, whoever has them") func kept() {
    #expect(log(64).bound(durable: [64, 64, 64]) == nil)
    #expect(log(65).bound(durable: [65, 65, 65]) == 2)
    #expect(log(100).bound(durable: [100, 100, 100]) == 37)
  }

  @Test("What a majority has not on its disks is kept") func majority() {
    #expect(log(100).bound(durable: [100, 9, 0]) == 10)
    #expect(log(100).bound(durable: [100, 0, 0]) == nil)
    #expect(log(100).bound(durable: [100, 20, 20, 0, 0]) == 21)
    #expect(log(100).bound(durable: [100, 20, 19, 0, 0]) == 20)
    #expect(log(100).bound(durable: [100, 100, 0, 0]) == nil)
    #expect(log(100).bound(durable: []) == nil)
  }

  @Test("After trimming, the rest is counted") func again() throws {
    var trimming = log(100)
    let bound = try #require(trimming.bound(durable: [100, 100, 100]))
    trimming.delete(before: bound)
    #expect(trimming.bytes == 64 * mebibyte)
    #expect(trimming.bound(durable: [100, 100, 100]) == nil)
    trimming.add(101, bytes: 3 * mebibyte)
    #expect(trimming.bound(durable: [100, 100, 100]) == 40)
  }

  @Test("Small entries share a mark, and are deleted together") func small() throws {
    var trimming = LogTrimming()
    for seq in 1...Int64(200_000) { trimming.add(seq, bytes: 500) }
    let bound = try #require(trimming.bound(durable: [200_000, 200_000, 1]))
    let kept = (200_000 - bound + 1) * 500
    #expect(kept >= LogTrimming.kept && kept <= LogTrimming.kept + 2 * LogTrimming.step)
    #expect(trimming.bound(durable: [200_000, 5_000, 1]).map { $0 <= 5_001 } == true)
  }

  /// Compared with a list of all entries.
  @Test("Random logs", arguments: 0..<20) func random(_: Int) {
    var random = SeededRandom()
    var trimming = LogTrimming()
    var entries: [(seq: Int64, bytes: Int)] = []
    for seq in 1...Int64(400) {
      let bytes = Int.random(in: 1...(4 << 20), using: &random)
      trimming.add(seq, bytes: bytes)
      entries.append((seq, bytes))
      guard random.once(in: 3) else { continue }
      let durable = (0..<random.pick([1, 3, 5])).map { _ in
        Int64.random(in: 0...seq, using: &random)
      }
      guard let bound = trimming.bound(durable: durable) else { continue }
      trimming.delete(before: bound)
      entries.removeAll { $0.seq < bound }
      let size = entries.reduce(0) { $0 + $1.bytes }
      #expect(size >= LogTrimming.kept && size == trimming.bytes, "seed \(random.seed)")
      // Each deleted entry is on most disks.
      #expect(
        durable.count { $0 >= bound - 1 } > durable.count / 2, "seed \(random.seed), \(durable)")
    }
  }
}
