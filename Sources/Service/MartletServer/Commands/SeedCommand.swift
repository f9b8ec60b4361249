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

/// `martlet seed`: adds demo data or a large reproducible data set.
enum SeedCommand {
  static func run(_ values: Values) throws {
    let path = values.text(.database)
    let reminders = try values.integer(.reminders)
    let lists = try values.integer(.lists)
    let seed = UInt64(try values.integer(.randomSeed))
    let isDemo = reminders == 0 && !values.isGiven(.lists)
    if isDemo, values.isGiven(.randomSeed) {
      throw UsageError(
        "\(values.name(.randomSeed)) has no effect on the demo data: create random reminders with --reminders N"
      )
    }
    let data = SeedData(
      large: isDemo ? nil : Seed.Large(lists: lists, reminders: reminders, seed: seed))
    if DatabaseFile.isOfCluster(path) {
      let target = NodeTransfers.seedTarget(data)
      return print(try NodeControl(values).onPrimary(.post, target), terminator: "")
    }
    try DatabaseFile.prepare(path)
    try DatabaseFile.migrate(path)
    print(try DatabaseFile.withDatabase(path) { try data.write(in: $0) })
  }
}
