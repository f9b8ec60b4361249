import Reminders
import Store

/// `martlet migrate`
enum Migrate {
  static func run(_ values: Values) throws {
    let path = values.text(.database)
    try DatabaseFile.prepare(path)
    let report = try RemindersDatabase.migrate(path: path)
    for migration in report.applied { print("migrated \(migration)") }
    if report.applied.isEmpty {
      print(report.triggersRenewed ? "triggers renewed" : "nothing to do")
    }
  }
}
