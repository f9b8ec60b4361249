/// A table's name from its type's: `Reminder` → `reminders`, `Category` → `categories`.
///
/// A name that is plural already stays: `Counts` → `counts`.
package func tableName(for typeName: String) -> String { pluralized(lowercasedFirstWord(typeName)) }

/// English plural of a type's name. A single `s` at the end counts as one (`Counts`), unless it belongs
/// to the singular, as in `Address`, `Status`, `Analysis`.
package func pluralized(_ name: String) -> String {
  let lower = name.lowercased()
  func ends(_ endings: String...) -> Bool { endings.contains { lower.hasSuffix($0) } }
  if ends("s"), !ends("ss", "us", "is") { return name }
  if ends("s", "x", "z", "ch", "sh") { return name + "es" }
  if ends("y"), let before = lower.dropLast().last, !"aeiou".contains(before) {
    return name.dropLast() + "ies"
  }
  return name + "s"
}

/// `ReminderTag` → `reminderTag`, `URLEntry` → `urlEntry`, `HTML` → `html`.
package func lowercasedFirstWord(_ name: String) -> String {
  let characters = Array(name)
  let capitals = characters.prefix { $0.isUppercase }.count
  // The last capital of several begins the next word, unless there is none.
  let next = capitals < characters.count ? characters[capitals] : nil
  let count = capitals > 1 && next?.isLowercase == true ? capitals - 1 : capitals
  return name.prefix(count).lowercased() + name.dropFirst(count)
}
