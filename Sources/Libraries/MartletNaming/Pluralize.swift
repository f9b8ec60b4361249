/// The name of a table, from the name of its type: `Reminder` → `reminders`, `Category` →
/// `categories`.
///
/// A plural stays as it is: `Counts` → `counts`.
package func tableName(for typeName: String) -> String { pluralized(lowercasedFirstWord(typeName)) }

/// The English plural of a type's name. A name that ends in a single `s` counts as a plural
/// (`Counts`), except for singular endings as in `Address`, `Status` and `Analysis`.
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

/// Lowercases the first word of a name: `ReminderTag` → `reminderTag`, `URLEntry` → `urlEntry`,
/// `HTML` → `html`.
package func lowercasedFirstWord(_ name: String) -> String {
  let characters = Array(name)
  let capitals = characters.prefix { $0.isUppercase }.count
  // The last of several capitals begins the next word if a lowercase letter follows.
  let next = capitals < characters.count ? characters[capitals] : nil
  let count = capitals > 1 && next?.isLowercase == true ? capitals - 1 : capitals
  return name.prefix(count).lowercased() + name.dropFirst(count)
}
