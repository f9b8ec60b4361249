import Reminders
import Store
import Time

/// `martlet seed`
enum SeedCommand {
  /// Reminders in one write: no other writer waits for more.
  private static let slice = 500

  static func run(_ values: Values) throws {
    let path = values.text(.database)
    let reminders = try values.integer(.reminders)
    let lists = try values.integer(.lists)
    let seed = UInt64(try values.integer(.randomSeed))
    try DatabaseFile.prepare(path)
    try DatabaseFile.migrate(path)
    try DatabaseFile.withDatabase(path) { database in
      if reminders == 0 {
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
      print("\(Count(reminders, "reminder")) in \(Count(lists, "list"))")
    }
  }
}
