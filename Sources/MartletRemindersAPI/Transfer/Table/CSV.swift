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
  /// What may stand between fields; the first of them in what is written. Spreadsheets write semicolons where numbers have
  /// a decimal comma.
  static let separators = [(comma, "comma"), (UInt8(ascii: ";"), "semicolon"), (0x09, "tab")]

  static func name(of separator: UInt8) -> String {
    separators.first { $0.0 == separator }?.1 ?? "separator"
  }

  /// The first separator between whose neighbours stands the name of a column; the comma where none does.
  static func separator(ofNames line: some Collection<UInt8>) -> UInt8 {
    let separator = separators.first { separator in
      line.split(separator: separator.0).contains { piece in
        let name = piece.filter { $0 != quote && $0 != 0x20 }
        return columns.contains { $0.utf8.elementsEqual(name) }
      }
    }
    return separator?.0 ?? comma
  }
  static let carriageReturn: UInt8 = 0x0D
  static let lineFeed: UInt8 = 0x0A
}
