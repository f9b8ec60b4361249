import Reminders
import Store

/// `martlet migrate`: the schema, the triggers, and the search index where it differs from the tables
enum Migrate {
  static func run(_ values: Values) throws {
    let path = values.text(.database)
    try DatabaseFile.prepare(path)
    let report = try RemindersDatabase.migrate(path: path, checksSearch: true)
    for migration in report.applied { print("migrated \(migration)") }
    if report.applied.isEmpty, report.triggersRenewed { print("triggers renewed") }
    for note in report.notes { print(note) }
    if report.applied.isEmpty, !report.triggersRenewed, report.notes.isEmpty {
      print("nothing to do")
    }
  }
}
