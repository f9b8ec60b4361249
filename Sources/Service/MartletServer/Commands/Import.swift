import MartletLiveAPI
import MartletReminders
import MartletRemindersAPI
import MartletStore
import MartletTime

/// The steps of every import by a command, whichever process has the database.
enum Import {
  /// Inserts all records in one transaction, and returns what they were.
  static func insert(
    in database: EmbeddedDatabase, _ zone: ZoneInfo, updates: Bool,
    _ read: ((TransferRecord) throws -> Void) throws -> Void
  ) throws -> String {
    let counts = try database.write { db in
      var importer = try Importer(zone: zone, updates: updates, in: db)
      try read { try importer.add($0) }
      try importer.finish()
      return importer.counts
    }
    let notes = counts.notes.map { "\n  \($0.title.excerpt): \($0.detail)" }
    return describe(counts) + notes.joined()
  }

  /// An error of an import with the name of the file, as a text for people.
  static func explained(_ error: any Error, _ name: String) -> any Error {
    guard let problem = error as? APIProblem ?? RemindersAPI.problem(of: error) else {
      return error
    }
    let details = problem.errors.map { error in
      guard case .pointer(let place) = error.place else { return error.detail }
      return "\(place) \(error.detail)"
    }
    return Failure(
      (["\(name): \(problem.detail)"] + details).joined(separator: "\n  ")
        + "\nNothing was imported.")
  }

  static func describe(_ counts: TransferCounts) -> String {
    "\(Count(counts.lists, "list")), \(Count(counts.tags, "tag")), \(Count(counts.reminders, "reminder"))"
      + (counts.completions == 0 ? "" : ", \(Count(counts.completions, "completion"))")
      + (counts.smartLists == 0 ? "" : ", \(Count(counts.smartLists, "smart list"))")
  }
}
