/// A streaming parser for calendar files, which reads line by line in bounded memory. It unfolds
/// lines and checks that components are closed (RFC 5545 sections 3.1 and 3.4).
package struct CalendarReader: Sendable {
  /// A parsed line and its component depth. `BEGIN` and `END` count as part of their component.
  package struct Step: Sendable {
    /// The kind of a line.
    package enum Kind: Sendable {
      /// The start of a component, with its name in upper case.
      case begin(String)
      /// A property of the current component.
      case property
      /// The end of a component, with its name in upper case.
      case end(String)
    }

    /// The kind of the line.
    package let kind: Kind
    /// The number of open components, from 1.
    package let depth: Int
    /// The line's name, parameters and value.
    package let line: ContentLine
  }

  /// The number of the line that was read last or caused the error.
  package private(set) var line = 0
  /// The names of the open components, from the outermost.
  package private(set) var components: [String] = []
  /// The current line, which can continue on the next one. It is therefore parsed one line later.
  private var open: [UInt8] = []
  private var lines = 0
  private var hasBegun = false
  /// Whether everything was read. Text behind a calendar is skipped, and so is a line of an alarm
  /// that cannot be parsed: the alarm says so (``KeptLines/removeUnread()``).
  package private(set) var isWhole = true

  private static let longest = 4 << 20
  private static let deepest = 8

  /// A text with its continued lines joined; `nil` if it is not UTF-8 even then.
  package static func unfolded(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    for (place, byte) in bytes.enumerated() {
      let isAfterBreak = place > 0 && bytes[place - 1] == 0x0A
      guard isAfterBreak, byte == 0x20 || byte == 0x09 else {
        text.append(byte)
        continue
      }
      text.removeLast()
      if text.last == 0x0D { text.removeLast() }
    }
    return String(validating: text, as: UTF8.self)
  }

  /// Makes a reader at the start of a file.
  package init() {}

  /// Reads the next line, without its line feed, and returns the previous one. Returns `nil` on the
  /// first line, and if the previous line was blank or continues.
  package mutating func read(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(CalendarError) -> Step? {
    line = max(lines, 1)
    lines += 1
    var bytes = bytes[...]
    if bytes.last == 0x0D { bytes.removeLast() }
    // Section 3.1: a line that begins with a space or tab continues the previous one.
    if bytes.first == 0x20 || bytes.first == 0x09, !open.isEmpty {
      open.append(contentsOf: bytes.dropFirst())
      guard open.count <= CalendarReader.longest else {
        line = lines
        throw CalendarError("The line is longer than \(CalendarReader.longest >> 20) MiB.")
      }
      return nil
    }
    let step = try take()
    open = Array(bytes)
    return step
  }

  /// Returns the last line, and checks that the file is complete.
  package mutating func finish() throws(CalendarError) -> Step? {
    line = lines
    let step = try take()
    guard hasBegun else { throw CalendarError("The calendar is empty.") }
    if let last = components.last {
      throw CalendarError("The file ends early: \(last.excerpt) has no END.")
    }
    return step
  }

  /// Parses the current line, which is complete.
  private mutating func take() throws(CalendarError) -> Step? {
    defer { open.removeAll(keepingCapacity: true) }
    // Control characters are not allowed in a line (section 3.1), but some programs write them.
    open.removeAll(where: ContentLine.isControl)
    var bytes = open[...]
    // Removes a byte order mark.
    if !hasBegun, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return nil }
    let text = String(validating: bytes, as: UTF8.self)
    if hasBegun, components.isEmpty, text.flatMap({ try? ContentLine($0) })?.name != "BEGIN" {
      isWhole = false
      return nil
    }
    guard let text else { throw CalendarError("The line is not UTF-8.") }
    let line = try parsed(text)
    switch line.name {
    case "BEGIN": return try begin(line)
    case "END": return try end(line)
    default:
      guard !components.isEmpty else { throw CalendarReader.noBeginning }
      return Step(kind: .property, depth: components.count, line: line)
    }
  }

  private mutating func parsed(_ text: String) throws(CalendarError) -> ContentLine {
    do throws(CalendarError) { return try ContentLine(text) } catch {
      guard components.last == "VALARM" else { throw error }
      isWhole = false
      return ContentLine.unread(text)
    }
  }

  private mutating func begin(_ line: ContentLine) throws(CalendarError) -> Step {
    let name = line.component
    guard !components.isEmpty || name == "VCALENDAR" else { throw CalendarReader.noBeginning }
    guard components.count < CalendarReader.deepest else {
      throw CalendarError(
        "Components are nested more than \(CalendarReader.deepest) levels deep.")
    }
    // The lines of a to-do are stored. Written again, it would stand beside the other one.
    guard name != "VTODO" || !components.contains(name) else {
      throw CalendarError("A VTODO cannot be inside another one.")
    }
    components.append(name)
    hasBegun = true
    return Step(kind: .begin(name), depth: components.count, line: line)
  }

  private mutating func end(_ line: ContentLine) throws(CalendarError) -> Step {
    guard let name = components.last, name == line.component else {
      let wanted = components.last.map { "END:\($0.excerpt)" } ?? "no END"
      throw CalendarError(
        "Expected \(wanted), got END:\(line.value.excerpt).")
    }
    defer { components.removeLast() }
    return Step(kind: .end(name), depth: components.count, line: line)
  }

  private static let noBeginning = CalendarError("A calendar begins with BEGIN:VCALENDAR.")
}

/// An error in a calendar file. ``CalendarReader/line`` has the line number.
package struct CalendarError: Error, Equatable {
  /// The fault as a sentence.
  package let detail: String
  /// Makes an error.
  package init(_ detail: String) { self.detail = detail }
}

extension StringProtocol {
  /// The beginning of a text for use in a message: at most 40 scalars. Counting characters would
  /// not limit its length, since one character can have any number of combining marks.
  package var excerpt: String {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: unicodeScalars.prefix(40))
    return String(scalars)
  }
}
