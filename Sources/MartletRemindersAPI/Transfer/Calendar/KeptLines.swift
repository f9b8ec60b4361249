import MartletLiveAPI

/// What a calendar file said of a to-do that has no place elsewhere: properties, components inside of it such as alarms,
/// and the time zones that they name.
struct KeptLines {
  /// So much may come with one to-do, in bytes.
  static let longest = 1 << 20

  /// Of the to-do itself.
  private var properties: [ContentLine] = []
  /// Whole components, `BEGIN` to `END`.
  private(set) var components: [[String]] = []
  private var zones: [[String]] = []

  private static let zone = "BEGIN:VTIMEZONE"

  /// What is written from the reminder itself, or once and in its place.
  private static let written: Set = [
    "UID", "DTSTAMP", "CREATED", "LAST-MODIFIED", "SUMMARY", "DESCRIPTION", "DUE", "PRIORITY",
    "STATUS",
    "COMPLETED", ICalendar.Name.list, ICalendar.Name.flag,
  ]

  init() {}

  /// What ``text`` was. Lines that are none are left out.
  init(_ text: String) {
    var open: [String] = []
    var depth = 0
    for line in text.utf8.split(separator: 0x0A) {
      guard let line = try? ContentLine(String(Substring(line))) else { continue }
      if line.name == "BEGIN" { depth += 1 }
      if depth == 0 {
        properties.append(line)
      } else {
        open.append(line.text)
      }
      guard line.name == "END" else { continue }
      depth -= 1
      guard depth == 0 else { continue }
      add(component: open)
      open = []
    }
  }

  /// Whether that is what `text` says: each line is one, and components that begin end.
  static func areLines(_ text: String) -> Bool {
    var open: [String] = []
    guard text.utf8.count <= longest else { return false }
    for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
      guard !line.contains(where: ContentLine.isControl),
        let line = try? ContentLine(String(Substring(line)))
      else { return false }
      switch line.name {
      case "BEGIN": open.append(line.value.uppercased())
      case "END": guard open.popLast() == line.value.uppercased() else { return false }
      default: continue
      }
    }
    return open.isEmpty
  }

  var text: String {
    (zones.joined() + properties.map(\.text) + components.joined()).joined(separator: "\n")
  }

  mutating func add(_ line: ContentLine) { properties.append(line) }

  /// A definition, whose lines have line feeds between them.
  mutating func add(zone text: String) { zones.append([text]) }

  mutating func add(component lines: [String]) {
    if lines.first?.uppercased() == KeptLines.zone {
      zones.append(lines)
    } else {
      components.append(lines)
    }
  }

  /// The zones that something names: all of it, or these lines. By their bytes, as the file has them.
  func namedZones(_ lines: [String]? = nil) -> Set<[UInt8]> {
    let lines = lines ?? (properties.map(\.text) + components.joined())
    return Set(lines.compactMap { try? ContentLine($0).parameter("TZID").map { Array($0.utf8) } })
  }

  func zones(namedBy lines: [String]) -> [(name: String, lines: [String])] {
    guard !zones.isEmpty else { return [] }
    let names = namedZones(lines)
    return zones.compactMap { zone in
      let name = zone.lazy.compactMap { try? ContentLine($0) }.first { $0.name == "TZID" }?.value
      guard let name, names.contains(Array(name.utf8)) else { return nil }
      return (name, zone)
    }
  }

  func first(_ name: String) -> ContentLine? { properties.first { $0.name == name } }

  /// The line that says `value` in its own way, where it still does.
  func line<T: Equatable>(_ name: String, _ read: (String) -> T, _ value: T) -> String? {
    first(name).flatMap { read($0.value) == value ? $0.text : nil }
  }

  /// Those that nothing else stands for, and that do not contradict it.
  func others(isCompleted: Bool, isDue: Bool) -> [String] {
    let lines = properties.filter { line in
      switch line.name {
      case _ where KeptLines.written.contains(line.name): false
      case "PERCENT-COMPLETE": (line.value == "100") == isCompleted
      // Of the two there is one (section 3.6.2).
      case "DURATION": !isDue
      default: true
      }
    }
    return lines.map(\.text) + components.joined()
  }
}
