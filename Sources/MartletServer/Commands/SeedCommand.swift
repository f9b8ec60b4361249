import MartletReminders
import MartletStore
import MartletTime

/// `martlet seed`: adds demo data or a large reproducible data set.
enum SeedCommand {
  /// The number of reminders per transaction. It limits how long other writers wait.
  private static let slice = 500

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
    try DatabaseFile.prepare(path)
    try DatabaseFile.migrate(path)
    try DatabaseFile.withDatabase(path) { database in
      if isDemo {
        let count = try database.write { try Seed.demo(in: $0, now: Clock.system.now()) }
        return print("\(Count(count, "reminder")) in 3 lists")
      }
      let large = Seed.Large(lists: lists, reminders: reminders, seed: seed)
      let ids = try database.write { try large.writeLists(in: $0) }
      var start = 0
      while start < reminders {
        let end = min(start + slice, reminders)
        try database.write { try large.write(start..<end, lists: ids, in: $0) }
        start = end
      }
      print(
        reminders > 0
          ? "\(Count(reminders, "reminder")) in \(Count(lists, "list"))"
          : "\(Count(lists, "empty list")); --reminders N adds reminders to them")
    }
  }
}
