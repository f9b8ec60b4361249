import Foundation
import MartletQueryBuilder

// The tables that the slips are made with. This file has none.

@Table struct RemindersList: Equatable, Identifiable {
  let id: Int
  var title = ""
  var position = 0
}

@Selection struct Times: Equatable {
  var createdAt: Date
  var updatedAt: Date?
}

@Table struct Reminder: Equatable, Identifiable {
  enum Priority: Int, QueryBindable { case low = 1, high }
  let id: Int
  var title = ""
  var notes: String?
  var isFlagged = false
  var priority: Priority?
  var dueDate: Date?
  @Column(as: Date.UnixTimeRepresentation.self) var at: Date
  var times: Times
  @Column(as: [String].JSONRepresentation.self) var tags: [String]
  var listID: RemindersList.ID?
}

@Table struct ReminderText: FTS5 {
  let rowid: Int
  let title: String
}

enum R: AliasName {}
