import MartletStore

/// The most recent commits, to check reads that ran at the same time: their snapshot may be older
/// than one of these.
struct CommitHistory {
  /// The limits of the history. An older read is assumed to have missed a change.
  static let mostCommits = 256
  static let mostRows = 20_000

  private var notices: [CommitNotification] = []
  private var rows = 0
  /// The newest commit that has been dropped from the history.
  private var lastEvicted: UInt64 = 0

  mutating func append(_ notice: CommitNotification) {
    notices.append(notice)
    rows += CommitHistory.rows(notice)
    var count = 0
    while notices.count - count > CommitHistory.mostCommits || rows > CommitHistory.mostRows {
      rows -= CommitHistory.rows(notices[count])
      lastEvicted = notices[count].number
      count += 1
    }
    notices.removeFirst(count)
  }

  private static func rows(_ notice: CommitNotification) -> Int {
    notice.tables.values.reduce(0) { $0 + ($1.rows?.count ?? 0) }
  }

  /// Whether a commit after `commit` may have changed what was read.
  func hasTouched(_ dependencies: Dependencies, since commit: UInt64, _ watch: Watch) -> Bool {
    guard commit >= lastEvicted else { return true }
    guard let last = notices.last, last.number > commit else { return false }
    var index = DependencyIndex(watch)
    index.set(dependencies, for: 0)
    return notices.reversed().prefix { $0.number > commit }
      .contains { !index.touched(by: $0).isEmpty }
  }

  /// The commits that may have changed a read, by `index`, and that are newer than the commit the
  /// read contains.
  func touches(
    of reads: [DependencyIndex.ID: UInt64], in index: DependencyIndex
  ) -> [(id: DependencyIndex.ID, commit: UInt64)] {
    guard let first = reads.values.min() else { return [] }
    var found = reads.filter { $0.value < lastEvicted }.map { ($0.key, lastEvicted) }
    for notice in notices where notice.number > first {
      for id in index.touched(by: notice) {
        if let commit = reads[id], notice.number > commit { found.append((id, notice.number)) }
      }
    }
    return found
  }
}
