import MartletReminders
import MartletStore
import MartletTime

/// The data that `martlet seed` adds.
struct SeedData {
  /// The number of reminders per transaction. It limits how long other writers wait.
  private static let slice = 500

  /// The data set of random reminders; `nil`: the demo data.
  let large: Seed.Large?

  /// Adds the data, and returns what it was.
  func write(in database: EmbeddedDatabase) throws -> String {
    guard let large else {
      let count = try database.write { try Seed.demo(in: $0, now: Clock.system.now()) }
      return "\(Count(count, "reminder")) in 3 lists"
    }
    let ids = try database.write { try large.writeLists(in: $0) }
    var start = 0
    while start < large.reminders {
      let end = min(start + Self.slice, large.reminders)
      try database.write { [start] in try large.write(start..<end, lists: ids, in: $0) }
      start = end
    }
    return large.reminders > 0
      ? "\(Count(large.reminders, "reminder")) in \(Count(large.lists, "list"))"
      : "\(Count(large.lists, "empty list")); --reminders N adds reminders to them"
  }
}
