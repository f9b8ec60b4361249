/// Takes a calendar file apart, a line at a time, in memory that does not grow with the file: lines that go on are joined, and
/// components that begin have to end (RFC 5545 sections 3.1 and 3.4).
package struct CalendarReader: Sendable {
  /// What a line says, and how many components it stands in; `BEGIN` and `END` stand in their own.
  package struct Step: Sendable {
    package enum Kind: Sendable {
      /// By name, in capitals.
      case begin(String)
      case property
      case end(String)
    }

    package let kind: Kind
    package let depth: Int
    package let line: ContentLine
  }

  /// The number of the line that was read last, or is at fault.
  package private(set) var line = 0
  /// The components that have begun and not ended, from the outermost.
  package private(set) var components: [String] = []
  /// A line that may go on with the next one: whether it is right is known one line later.
  private var open: [UInt8] = []
  private var lines = 0
  private var hasBegun = false

  private static let longest = 4 << 20
  private static let deepest = 8

  package init() {}

  /// Takes the next line, without its line feed, and gives what the one before it says.
  package mutating func read(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(CalendarError) -> Step? {
    line = max(lines, 1)
    lines += 1
    var bytes = bytes[...]
    if bytes.last == 0x0D { bytes.removeLast() }
    // Section 3.1: a line that begins with a blank goes on with the one before.
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

  /// What the last line says.
  package mutating func finish() throws(CalendarError) -> Step? {
    line = lines
    let step = try take()
    guard hasBegun else { throw CalendarError("There is nothing in it.") }
    if let last = components.last {
      throw CalendarError("The file ends early: \(last.excerpt) has no END.")
    }
    return step
  }

  /// What has come of a line is all of it.
  private mutating func take() throws(CalendarError) -> Step? {
    defer { open.removeAll(keepingCapacity: true) }
    // None has a place in a line (section 3.1), and some programs write them.
    open.removeAll(where: ContentLine.isControl)
    var bytes = open[...]
    // A byte order mark.
    if !hasBegun, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return nil }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CalendarError("The line is not UTF-8.")
    }
    let line = try ContentLine(text)
    switch line.name {
    case "BEGIN": return try begin(line)
    case "END": return try end(line)
    default:
      guard !components.isEmpty else { throw CalendarReader.noBeginning }
      return Step(kind: .property, depth: components.count, line: line)
    }
  }

  private mutating func begin(_ line: ContentLine) throws(CalendarError) -> Step {
    let name = CalendarReader.component(line)
    guard !components.isEmpty || name == "VCALENDAR" else { throw CalendarReader.noBeginning }
    guard components.count < CalendarReader.deepest else {
      throw CalendarError(
        "More than \(CalendarReader.deepest) components are inside each other.")
    }
    components.append(name)
    hasBegun = true
    return Step(kind: .begin(name), depth: components.count, line: line)
  }

  private mutating func end(_ line: ContentLine) throws(CalendarError) -> Step {
    guard let name = components.last, name == CalendarReader.component(line) else {
      let wanted = components.last.map { "END:\($0.excerpt)" } ?? "nothing"
      throw CalendarError(
        "END:\(line.value.excerpt) stands where \(wanted) should end.")
    }
    defer { components.removeLast() }
    return Step(kind: .end(name), depth: components.count, line: line)
  }

  /// Some programs leave blanks behind it.
  private static func component(_ line: ContentLine) -> String {
    String(line.value.unicodeScalars.prefix { $0 != " " && $0 != "\t" }).uppercased()
  }

  private static let noBeginning = CalendarError("A calendar begins with BEGIN:VCALENDAR.")
}
