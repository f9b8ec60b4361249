import MartletReminders
import MartletStore

/// `martlet migrate`: migrates the schema, and repairs the triggers and the search index.
enum Migrate {
  static func run(_ values: Values) throws {
    let path = values.text(.database)
    try DatabaseFile.prepare(path)
    try DatabaseFile.checkSingle(path)
    let report = try DatabaseFile.ownedByFolder(path) {
      try RemindersDatabase.migrate(path: path, checksSearch: true)
    }
    let lines = DatabaseFile.lines(of: report)
    for line in lines.isEmpty ? ["nothing to do"] : lines { print(line) }
  }
}
