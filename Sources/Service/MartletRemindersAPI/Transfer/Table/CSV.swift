/// The export and import format CSV (RFC 4180): a table of reminders.
///
/// The first line names the columns. A list is identified by its title; tags are separated by
/// semicolons (``CSV/Tags``). The code works on bytes, because a quotation mark followed by a
/// combining mark is a different `Character`.
public enum CSV {
  /// The names of the columns, in the order of an export.
  static let columns = [
    "list", "title", "notes", "startDate", "dueDate", "timeZone", "recurrence", "basis",
    "recurrenceStart", "excluded", "priority", "isFlagged", "status", "completedAt", "tags",
    "createdAt", "updatedAt",
  ]

  static let quote = UInt8(ascii: "\"")
  static let comma = UInt8(ascii: ",")
  /// The separators that can be read, with their names. The first one is written.
  ///
  /// Spreadsheets write semicolons in locales with a decimal comma.
  static let separators = [(comma, "comma"), (UInt8(ascii: ";"), "semicolon"), (0x09, "tab")]

  /// The name of a separator for messages.
  static func name(of separator: UInt8) -> String {
    separators.first { $0.0 == separator }?.1 ?? "separator"
  }

  /// The column with a name, which may have capitals and blanks of its own: `Due Date`.
  static func column(_ name: some Collection<UInt8>) -> String? {
    let name = name.filter { $0 != 0x20 }.map(lowercase)
    return columns.first { $0.utf8.map(lowercase) == name }
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (65...90).contains(byte) ? byte + 32 : byte
  }

  /// The separator of a line in front of the names, as Excel reads it: `sep=;`. The line says
  /// nothing else.
  static func separator(ofLine line: some Collection<UInt8>) -> UInt8? {
    let line = line.filter { $0 != quote }
    guard line.count == 5, line.prefix(4).map(lowercase) == Array("sep=".utf8) else { return nil }
    return separators.map(\.0).first { $0 == line[4] }
  }

  /// Detects the separator: the first one that splits the line so that a piece is the name of a
  /// column.
  ///
  /// The default is the comma.
  static func separator(ofNames line: some Collection<UInt8>) -> UInt8 {
    let separator = separators.first { separator in
      line.split(separator: separator.0).contains { piece in
        column(piece.filter { $0 != quote }) != nil
      }
    }
    return separator?.0 ?? comma
  }
  static let carriageReturn: UInt8 = 0x0D
  static let lineFeed: UInt8 = 0x0A
}
