import Foundation
import MartletQueryBuilder

let now = Date()

// Another type assigned
func assigned() { _ = Reminder.update { $0.title = 1 } }  // error: value

// Another type assigned among several
func assignedLater() {
  _ = Reminder.update {
    $0.isFlagged = true
    $0.title = 1  // error: value
  }
}

// A column of another type assigned
func assignedColumn() { _ = Reminder.update { $0.title = $0.id } }  // error: value

// NULL assigned to a column that has none
func assignedNil() { _ = Reminder.update { $0.title = nil } }  // error: value

// A misspelled column assigned
func assignedTo() { _ = Reminder.update { $0.titel = "a" } }  // error: titel

// A misspelled part of a group assigned
func assignedPart() { _ = Reminder.update { $0.times.updatdAt = nil } }  // error: updatdAt

// A misspelled case assigned
func assignedCase() { _ = Reminder.update { $0.priority = .hihg } }  // error: hihg

// A misspelled change in place
func changed() { _ = Reminder.update { $0.isFlagged.togle() } }  // error: togle

// A change in place of another type
func toggled() { _ = Reminder.update { $0.title.toggle() } }  // error: toggle

// A number added to a text in place
func added() { _ = Reminder.update { $0.title += 1 } }  // error: Int

// Too few values
func few() { _ = Reminder.insert { ($0.id, $0.title) } values: { 1 } }  // error: columns

// Too many values
func many() { _ = Reminder.insert { ($0.id, $0.title) } values: { (1, "a", 3) } }  // error: columns

// Values in another order
func order() { _ = Reminder.insert { ($0.id, $0.title) } values: { ("a", 1) } }  // error: columns

// A value of another type
func value() { _ = Reminder.insert { ($0.id, $0.at) } values: { (1, "now") } }  // error: columns

// NULL for a column that has none
func null() { _ = Reminder.insert { ($0.id, $0.title) } values: { (1, nil) } }  // error: nil

// An expression of another representation
func representation() {
  _ = Reminder.insert {
    ($0.id, $0.at)
  } values: {
    (#bind(1), Date.now())  // error: columns
  }
}

// A misspelled column of an INSERT
func into() { _ = Reminder.insert { ($0.id, $0.titel) } values: { (1, "a") } }  // known: titel

// An expression for a column of an INSERT
func expression() { _ = Reminder.insert { $0.title + "x" } values: { "a" } }  // error: columns

// Rows of a query with another representation
func selected() {
  _ = Reminder.insert {  // error: UnixTimeRepresentation
    ($0.id, $0.at)
  } select: {
    Reminder.select { ($0.id, $0.times.createdAt) }
  }
}

// A row of another table
func row() { _ = Reminder.insert { RemindersList(id: 1) } }  // error: rows

// A misspelled label of a draft
func draft() { _ = RemindersList.insert { RemindersList.Draft(titel: "a") } }  // error: titel

// A misspelled column of a conflict
func conflict() {
  _ = RemindersList.insert {
    RemindersList(id: 1)
  } onConflict: {
    $0.idd  // error: idd
  } doUpdate: {
    $0.title = $1.title
  }
}

// Another type assigned behind a conflict
func conflictUpdate() {
  _ = RemindersList.insert {
    RemindersList(id: 1)
  } onConflict: {
    $0.id
  } doUpdate: {
    $0.title = $1.position  // error: value
  }
}

// A misspelled column of a partial index
func conflictPartial() {
  _ = RemindersList.insert {
    RemindersList(id: 1)
  } onConflict: {
    $0.id
  } where: {
    $0.positon > 1  // error: positon
  } doUpdate: {
    $0.title = $1.title
  }
}

// A condition of an INSERT without a conflict
func insertWhere() {
  _ = RemindersList.insert {  // error: onConflict
    RemindersList(id: 1)
  } where: {
    $0.id > 1
  }
}

// A condition of values without a conflict
func valuesWhere() {
  _ = RemindersList.insert {  // error: onConflict
    $0.title
  } values: {
    "a"
  } where: {
    $0.id > 1
  }
}

// A misspelled column of a trigger
func trigger() {
  _ = Reminder.createTemporaryTrigger(
    after: .insert { new in
      Reminder.find(new.idd).delete()  // error: idd
    })
}

// A misspelled column that a trigger touches
func touch() { _ = Reminder.createTemporaryTrigger(afterUpdateTouch: \.dueDat) }  // error: dueDat

// A misspelled method on a change
func delete() { _ = Reminder.find(1).delete().wher { $0.isFlagged } }  // error: wher
