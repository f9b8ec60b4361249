/// Reminders as a table (RFC 4180): the first line names the columns. A list goes by its title; tags stand between
/// semicolons (``CSV/Tags``). All of it is read and written by bytes: to Swift's `Character` a quotation mark with an
/// accent behind it is none.
public enum CSV {
  static let columns = [
    "list", "title", "notes", "dueDate", "priority", "isFlagged", "status", "tags", "createdAt",
    "updatedAt",
  ]

  static let quote = UInt8(ascii: "\"")
  static let comma = UInt8(ascii: ",")
  static let carriageReturn: UInt8 = 0x0D
  static let lineFeed: UInt8 = 0x0A
}
