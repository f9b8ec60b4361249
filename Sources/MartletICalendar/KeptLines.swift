/// Lines of a component that are kept as they came, because nothing else stands for what they say: properties, components inside
/// of it such as alarms, and the time zones that they name.
package struct KeptLines: Sendable {
  /// So much may come with one component, in bytes.
  package static let longest = 1 << 20

  /// Of the to-do itself.
  private var properties: [ContentLine] = []
  /// Whole components, `BEGIN` to `END`.
  package private(set) var components: [[String]] = []
  private var zones: [[String]] = []

  private static let zone = "BEGIN:VTIMEZONE"

  package init() {}

  /// What ``text`` was. Lines that are none are left out.
  package init(_ text: String) {
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
  package static func areLines(_ text: String) -> Bool {
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

  package var text: String {
    (zones.joined() + properties.map(\.text) + components.joined()).joined(separator: "\n")
  }

  package mutating func add(_ line: ContentLine) { properties.append(line) }

  /// A definition, whose lines have line feeds between them.
  package mutating func add(zone text: String) { zones.append([text]) }

  package mutating func add(component lines: [String]) {
    if lines.first?.uppercased() == KeptLines.zone {
      zones.append(lines)
    } else {
      components.append(lines)
    }
  }

  /// The zones that something names: all of it, or these lines. By their bytes, as the file has them.
  package func namedZones(_ lines: [String]? = nil) -> Set<[UInt8]> {
    let lines = lines ?? (properties.map(\.text) + components.joined())
    return Set(lines.compactMap { try? ContentLine($0).parameter("TZID").map { Array($0.utf8) } })
  }

  package func zones(namedBy lines: [String]) -> [(name: String, lines: [String])] {
    guard !zones.isEmpty else { return [] }
    let names = namedZones(lines)
    return zones.compactMap { zone in
      let name = zone.lazy.compactMap { try? ContentLine($0) }.first { $0.name == "TZID" }?.value
      guard let name, names.contains(Array(name.utf8)) else { return nil }
      return (name, zone)
    }
  }

  package func first(_ name: String) -> ContentLine? { properties.first { $0.name == name } }

  /// The line that says `value` in its own way, where it still does.
  package func line<T: Equatable>(_ name: String, _ read: (String) -> T, _ value: T) -> String? {
    first(name).flatMap { read($0.value) == value ? $0.text : nil }
  }

  /// The properties that `isKept` lets through, and the components.
  package func lines(where isKept: (ContentLine) -> Bool) -> [String] {
    properties.filter(isKept).map(\.text) + components.joined()
  }
}
