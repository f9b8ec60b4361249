import Foundation
import MartletQueryBuilder

@Selection
struct Overview: Equatable {
  let list: RemindersList
  let count: Int
}

@Selection
struct ReminderWithList: Equatable {
  let reminder: Reminder
  let list: RemindersList?
}

@Table @Selection
struct HighPriorityRemindersList {
  let id: RemindersList.ID
}

@Table @Selection
struct Counts {
  let value: Int
}

@Table @Selection
struct Fibonacci {
  let n: Int
  let prevFib: Int
  let fib: Int
}
