import MartletReminders
import MartletStore

/// `martlet migrate`: the schema, the triggers, and the search index where it differs from the tables
enum Migrate {
  static func run(_ values: Values) throws {
    let path = values.text(.database)
    try DatabaseFile.prepare(path)
    let report = try RemindersDatabase.migrate(path: path, checksSearch: true)
    let lines = DatabaseFile.lines(of: report)
    for line in lines.isEmpty ? ["nothing to do"] : lines { print(line) }
  }
}
