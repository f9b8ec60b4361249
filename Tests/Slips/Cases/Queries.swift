import Foundation
import MartletQueryBuilder

// A misspelled method on a column
func method() { _ = Reminder.where { $0.title.hasPrefx("a") } }  // error: hasPrefx

// A misspelled method on an optional column
func optionalMethod() { _ = Reminder.where { $0.dueDate.isnt(nil) } }  // error: isnt

// A misspelled method in an order
func orderMethod() { _ = Reminder.order { $0.title.descc() } }  // error: descc

// A misspelled method on a part of a group
func groupMethod() { _ = Reminder.where { $0.times.createdAt.gtt(Date()) } }  // error: gtt

// A misspelled method on the optional side of a join
func outerMethod() {
  _ = RemindersList.leftJoin(Reminder.all) { $0.id == $1.listID }
    .where { $1.title.hasPrefx("a") }  // error: hasPrefx
}

// A misspelled method on a select
func selectMethod() { _ = Reminder.all.bogus() }  // error: bogus

// A misspelled clause behind a condition
func clause() { _ = Reminder.where(\.isFlagged).oder { $0.title } }  // error: oder

// A misspelled clause on a table
func tableClause() { _ = Reminder.wher { $0.isFlagged } }  // error: wher

// A misspelled method on an alias
func aliasMethod() { _ = Reminder.as(R.self).bogus() }  // error: bogus

// A misspelled method in a query of an alias
func aliasColumn() { _ = Reminder.as(R.self).where { $0.title.hasPrefx("a") } }  // error: hasPrefx

// A misspelled method behind chosen columns
func pickedMethod() { _ = Reminder.select { $0.title }.bogus() }  // known: Select

// A misspelled column
func column() { _ = Reminder.where { $0.titel == "a" } }  // error: titel

// A misspelled column in a key path
func keyPath() { _ = Reminder.order(by: \.titel) }  // error: titel

// A misspelled part of a group
func part() { _ = Reminder.where { $0.times.updatdAt.is(nil) } }  // error: updatdAt

// A misspelled column in a select
func selectColumn() { _ = Reminder.select { $0.titel } }  // error: titel

// A misspelled column among several
func selectColumns() { _ = Reminder.select { ($0.id, $0.titel) } }  // error: titel

// A misspelled column among many
func manyColumns() {
  _ = Reminder.select {
    ($0.id, $0.title, $0.notes, $0.isFlaged, $0.dueDate)  // error: isFlaged
  }
}

// A misspelled column in a join's condition
func joinColumn() {
  _ = Reminder.join(RemindersList.all) { $0.lstID == $1.id }  // error: lstID
    .select { ($0.title, $1.title) }
}

// A misspelled column behind a join
func joined() {
  _ = Reminder.join(RemindersList.all) { $0.listID == $1.id }
    .select { ($0.title, $1.titel) }  // error: titel
}

// A misspelled column of a returning clause
func returning() { _ = Reminder.find(1).delete().returning { $0.idd } }  // error: idd

// A misspelled part of a date
func datePart() { _ = Reminder.select { $0.dueDate.yeer } }  // error: yeer

// A misspelled date modifier
func modifier() { _ = Reminder.select { $0.dueDate(.startOfMnth) } }  // error: startOfMnth

// A text that is moved as a date is
func movedText() { _ = Reminder.select { $0.title(.startOfMonth) } }  // error: String

// A column compared with another type
func comparison() { _ = Reminder.where { $0.title == 1 } }  // error: Int

// A column compared with another type by eq
func eq() { _ = Reminder.where { $0.id.eq("a") } }  // error: String

// Columns of two types compared
func columns() { _ = Reminder.where { $0.id == $0.title } }  // error: 'Int' and 'String'

// A list of another type
func list() { _ = Reminder.where { $0.id.in(["a"]) } }  // error: String

// A misspelled case
func misspelledCase() { _ = Reminder.where { $0.priority == .hihg } }  // error: hihg

// A condition that is none
func condition() { _ = Reminder.where { $0.title } }  // error: Bool

// A condition of Swift values alone
func swiftCondition(isOpen: Bool) {
  _ = Reminder.where { _ in isOpen }  // error: same for each row
}

// An assignment for a comparison
func assignment() { _ = Reminder.where { $0.id = 1 } }  // error: cannot assign

// A key of another type
func key() { _ = Reminder.find("x") }  // error: key

// A number added to a text
func sum() { _ = Reminder.select { $0.title + 1 } }  // error: Int

// A sum of texts
func aggregate() { _ = Reminder.select { $0.title.sum() } }  // error: sum

// A misspelled column behind a key
func found() { _ = Reminder.find(1).select { $0.titel } }  // error: titel

// A misspelled column of a condition with two terms
func terms() { _ = Reminder.where { $0.isFlagged || $0.priorty == .high } }  // error: priorty

// A text for a condition in a conjunction
func conjunction() { _ = Reminder.where { $0.isFlagged && $0.title } }  // error: String

// A column of another type in a join
func joinType() { _ = Reminder.join(RemindersList.all) { $0.listID.eq($1.title) } }  // error: String

// A misspelled aggregate
func aggregateName() { _ = Reminder.select { $0.id.maxx() } }  // error: maxx

// Chosen columns for another selection
func selection() { _ = Reminder.select { Times.Columns(createdAt: $0.title) } }  // error: String

// A label of a selection
func label() { _ = Reminder.select { Times.Columns(created: $0.times.createdAt) } }  // error: created

// A limit that is a text
func limit() { _ = Reminder.limit("10") }  // error: String

// A table that is joined as such
func joinedTable() { _ = Reminder.join(RemindersList.self) { $0.listID == $1.id } }  // error: joined

// A search in a table that has none
func match() { _ = Reminder.where { $0.match("a") } }  // error: match

// A misspelled column of a search
func searched() { _ = ReminderText.where { $0.titel.match("a") } }  // error: titel

// A union of different columns
func union() { _ = Reminder.select(\.id).union(Reminder.select(\.title)) }  // known: String

// A union of dates that are stored in two ways
func datesUnion() { _ = Reminder.select(\.at).union(Reminder.select(\.times.createdAt)) }  // error: UnixTimeRepresentation

// Rows that are in a query of columns that are stored in another way
func datesExcept() {
  _ = Reminder.select { ($0.id, $0.at) }.except(Reminder.select { ($0.id, $0.times.createdAt) })  // error: UnixTimeRepresentation
}

// A misspelled part of JSON
func json() { _ = Reminder.select { $0.tags.jsonArrayLenght() } }  // error: jsonArrayLenght

// An unclosed parenthesis in SQL
func sql() { _ = Reminder.select { _ in #sql("coalesce(1", as: Int.self) } }  // error: closing

// A parameter in SQL
func parameter() { _ = Reminder.where { #sql("\($0.id) = ?") } }  // error: parameter

// A misspelled alias
func aliasName() { _ = Reminder.as(Rs.self).all }  // error: Rs

// Keys that are stored in another way
func foundByDate() { _ = Reminder.where { $0.at.in(Reminder.select(\.times.createdAt)) } }  // error: in

// Rows of a compound that are stored in another way
func inCompound() {
  let dates = Reminder.select(\.times.createdAt).union(Reminder.select(\.times.createdAt))
  _ = Reminder.where { $0.at.in(dates) }  // error: in
}

// A number appended to an array of texts
func appendedNumber() { _ = Reminder.update { $0.tags = $0.tags.jsonAppend($0.id) } }  // error: String
// A time that is stored in another way, from a query
func storedTimes() { _ = Reminder.where { $0.at.in(Reminder.select(\.dueDate)) } }  // error: Date

// A time that is stored in another way, from a compound
func storedCompound(_ dates: Compound<Date, Date>) { _ = Reminder.where { $0.at.notIn(dates) } }  // error: Date

// A time that is stored in another way, from values
func storedValues(_ date: Date) { _ = Reminder.where { $0.at.in(Values { date }) } }  // error: Date

// Keys that are stored in another way
func storedKeys() { _ = Reminder.find(Reminder.select(\.title)) }  // error: key
