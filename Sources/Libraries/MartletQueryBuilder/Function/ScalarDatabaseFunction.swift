/// A Swift function with one result per call.
///
/// ```swift
/// @DatabaseFunction func exclaim(_ text: String) -> String { text + "!" }
/// Reminder.select { $exclaim($0.title) }
/// // SELECT "exclaim"("reminders"."title") FROM "reminders"
/// ```
public protocol ScalarDatabaseFunction: DatabaseFunction {
  /// Reads the arguments from left to right and returns the result.
  ///
  /// A thrown error fails the statement with the error's message.
  func invoke(_ arguments: inout RowReader) throws -> QueryBinding
}
