import MartletStore

/// The last commits, for those who read while they happened: what was read may be from before one of them.
struct CommitHistory {
  /// What is remembered at most. Reads that go back further are taken to have missed something.
  static let mostCommits = 256
  static let mostRows = 20_000

  private var notices: [CommitNotification] = []
  private var rows = 0
  /// The last commit that is not remembered any more.
  private var lastForgotten: UInt64 = 0

  mutating func append(_ notice: CommitNotification) {
    notices.append(notice)
    rows += CommitHistory.rows(notice)
    var count = 0
    while notices.count - count > CommitHistory.mostCommits || rows > CommitHistory.mostRows {
      rows -= CommitHistory.rows(notices[count])
      lastForgotten = notices[count].number
      count += 1
    }
    notices.removeFirst(count)
  }

  private static func rows(_ notice: CommitNotification) -> Int {
    notice.tables.values.reduce(0) { $0 + ($1.rows?.count ?? 0) }
  }

  /// Whether one of the commits after `commit` may have changed what was read.
  func hasTouched(_ dependencies: Dependencies, since commit: UInt64, _ watch: Watch) -> Bool {
    guard commit >= lastForgotten else { return true }
    guard let last = notices.last, last.number > commit else { return false }
    var index = DependencyIndex(watch)
    index.set(dependencies, for: 0)
    return notices.reversed().prefix { $0.number > commit }
      .contains { !index.touched(by: $0).isEmpty }
  }

  /// The commits after those that `reads` hold which may have changed what these have read, by `index`.
  func touches(
    of reads: [DependencyIndex.ID: UInt64], in index: DependencyIndex
  ) -> [(id: DependencyIndex.ID, commit: UInt64)] {
    guard let first = reads.values.min() else { return [] }
    var found = reads.filter { $0.value < lastForgotten }.map { ($0.key, lastForgotten) }
    for notice in notices where notice.number > first {
      for id in index.touched(by: notice) {
        if let commit = reads[id], notice.number > commit { found.append((id, notice.number)) }
      }
    }
    return found
  }
}
