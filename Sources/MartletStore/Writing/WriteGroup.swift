/// The writes of one commit and what became of each.
struct WriteGroup {
  var entries: [WriteQueue<PendingWrite>.Entry]
  /// For each write that ran: nil, or the error with which it was undone alone.
  var outcomes: [(any Error)?] = []

  init(_ entries: [WriteQueue<PendingWrite>.Entry]) { self.entries = entries }

  /// Whether there is anything to commit.
  var hasSuccess: Bool { outcomes.contains { $0 == nil } }

  /// Tells everyone his own outcome, after the commit.
  func answer() {
    for (entry, outcome) in zip(entries, outcomes) { entry.write.answer(outcome) }
  }

  /// Tells everyone that nothing was saved; who had failed by himself hears his own error.
  func answer(failingWith error: any Error) {
    for (index, entry) in entries.enumerated() {
      entry.write.answer((index < outcomes.count ? outcomes[index] : nil) ?? error)
    }
  }
}
