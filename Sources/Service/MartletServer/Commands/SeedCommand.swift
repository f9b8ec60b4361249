import MartletReminders
import MartletStore
import MartletTime

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
