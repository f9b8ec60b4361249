import MartletNaming
import Testing

@Suite struct PluralizeTests {
  @Test(arguments: [
    ("Reminder", "reminders"), ("RemindersList", "remindersLists"),
    ("ReminderText", "reminderTexts"), ("Category", "categories"), ("Day", "days"),
    ("Box", "boxes"), ("Buzz", "buzzes"), ("Branch", "branches"), ("Dish", "dishes"),
    ("Address", "addresses"), ("Status", "statuses"), ("Analysis", "analysises"),
    ("Fibonacci", "fibonaccis"), ("Quiz", "quizes"), ("Y", "ys"),
  ]) func singular(type: String, table: String) { #expect(tableName(for: type) == table) }

  @Test(arguments: [("Counts", "counts"), ("RemindersTags", "remindersTags"), ("News", "news")])
  func pluralStays(type: String, table: String) { #expect(tableName(for: type) == table) }

  @Test(arguments: [("URLEntry", "urlEntries"), ("HTML", "htmls"), ("ABTest", "abTests")])
  func initialsAreLowercasedTogether(type: String, table: String) {
    #expect(tableName(for: type) == table)
  }
}
