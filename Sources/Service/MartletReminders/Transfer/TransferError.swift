/// An inconsistency in a transfer.
public enum TransferError: Error, Equatable, Sendable {
  /// Two lists have this ID.
  case listTwice(Int)
  /// A reminder's list does not precede it in the transfer; `nil` if the reminder names no list.
  case unknownList(Int?)
  /// Two reminders have the ID that a subtask names.
  case reminderTwice(Int)
  /// The parent of the reminder on a line is not in the transfer.
  case unknownParent(Int, line: Int?)
  /// The reminder on a line cannot have its parent.
  case parent(RuleViolation, line: Int?)
  /// A completion does not follow its reminder in the transfer.
  case unknownReminder(Int)
}
