import MartletReminders
import MartletStore
import MartletTime

/// `martlet seed`
enum SeedCommand {
  /// Reminders in one write: no other writer waits for more.
  private static let slice = 500

  static func run(_ values: Values) throws {
    let path = values.text(.database)
    let reminders = try values.integer(.reminders)
    let lists = try values.integer(.lists)
    let seed = UInt64(try values.integer(.randomSeed))
    let isDemo = reminders == 0 && !values.isGiven(.lists)
    if isDemo, values.isGiven(.randomSeed) {
      throw UsageError(
        "\(values.name(.randomSeed)) changes nothing in the demo: --reminders N makes N random ones"
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
          : "\(Count(lists, "empty list")); with --reminders N there are N in them")
    }
  }
}
