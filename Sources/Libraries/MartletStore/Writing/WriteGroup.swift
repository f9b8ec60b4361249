/// The writes of one commit and their outcomes.
struct WriteGroup {
  var entries: [WriteQueue<PendingWrite>.Entry]
  /// For each write that ran, `nil` or the error with which it alone was rolled back.
  var outcomes: [(any Error)?] = []

  init(_ entries: [WriteQueue<PendingWrite>.Entry]) { self.entries = entries }

  /// Whether there is anything to commit.
  var hasSuccess: Bool { outcomes.contains { $0 == nil } }

  /// Reports each write's own outcome after the commit.
  func answer() {
    for (entry, outcome) in zip(entries, outcomes) { entry.write.answer(outcome) }
  }

  /// Reports one error to all writes, because what they have found may be outdated.
  func refuse(_ error: any Error) {
    for entry in entries { entry.write.answer(error) }
  }

  /// Reports to each write that nothing was saved. A write that had failed on its own gets its own
  /// error.
  func answer(failingWith error: any Error) {
    for (index, entry) in entries.enumerated() {
      entry.write.answer((index < outcomes.count ? outcomes[index] : nil) ?? error)
    }
  }
}
