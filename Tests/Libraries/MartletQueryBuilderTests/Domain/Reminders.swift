import Foundation
import MartletQueryBuilder

@Table
struct Reminder: Equatable, Identifiable {
  let id: Int
  var title = ""
  var notes = ""
  var remindersListID: RemindersList.ID
  var position = 0
  var priority: Priority?
  var isFlagged = false
  var status: Status = .incomplete
  var dueDate: Date?
  var updatedAt: Date?

  enum Status: Int, QueryBindable { case incomplete, completed, completing }
  enum Priority: Int, QueryBindable { case low = 1, medium, high }
}

extension Reminder.TableColumns {
  var isCompleted: some QueryExpression<Bool> { status != .incomplete }
}

@Table
struct RemindersList: Equatable, Identifiable {
  let id: Int
  var color = 0x4a99ef_ff
  var position = 0
  var title = ""
}

@Table
struct Tag: Equatable, Identifiable {
  @Column(primaryKey: true)
  var title: String
  var id: String { title }
}

@Table("remindersTags")
struct ReminderTag: Equatable {
  var reminderID: Reminder.ID
  var tagID: Tag.ID
}

@Table
struct ReminderText: FTS5, Equatable {
  let rowid: Int
  let title: String
  let notes: String
  let tags: String
}
