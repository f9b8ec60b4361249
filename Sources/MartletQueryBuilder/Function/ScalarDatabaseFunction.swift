/// One result for one call.
///
/// ```swift
/// @DatabaseFunction func exclaim(_ text: String) -> String { text + "!" }
/// Reminder.select { $exclaim($0.title) }
/// // SELECT "exclaim"("reminders"."title") FROM "reminders"
/// ```
public protocol ScalarDatabaseFunction: DatabaseFunction {
  /// Reads the arguments from left to right and gives the result. What is thrown fails the statement,
  /// with its message.
  func invoke(_ arguments: inout RowReader) throws -> QueryBinding
}
