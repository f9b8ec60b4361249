/// The lines of a component that are stored unchanged because no column represents them:
/// properties, nested components such as alarms, and the time zones that they name.
package struct KeptLines: Sendable {
  /// The limit for one component, in bytes.
  package static let longest = 1 << 20

  /// The properties of the component itself.
  package private(set) var properties: [ContentLine] = []
  /// The nested components, each from `BEGIN` to `END`.
  package private(set) var components: [[String]] = []
  /// The definitions of time zones, each from `BEGIN` to `END`.
  package private(set) var zones: [[String]] = []

  /// No lines.
  package init() {}

  /// Parses a ``text``. Invalid lines are ignored.
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
      guard line.name == "END", depth > 0 else { continue }
      depth -= 1
      guard depth == 0 else { continue }
      add(component: open)
      open = []
    }
  }

  /// Whether `text` is valid: every line can be parsed, and every component is closed.
  package static func areLines(_ text: String) -> Bool {
    var open: [String] = []
    guard text.utf8.count <= longest else { return false }
    for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
      guard !line.contains(where: ContentLine.isControl),
        let line = try? ContentLine(String(Substring(line)))
      else { return false }
      switch line.name {
      case "BEGIN": open.append(line.component)
      case "END": guard open.popLast() == line.component else { return false }
      default: continue
      }
    }
    return open.isEmpty
  }

  /// The part of a text that is valid: the text itself, or what can be read of what another program
  /// has written; `nil` if that is nothing.
  package static func valid(_ text: String) -> String? {
    guard !areLines(text) else { return text }
    let lines = text.utf8.split(separator: 0x0A).filter {
      !$0.contains(where: ContentLine.isControl)
    }
    let kept = KeptLines(lines.map { String(Substring($0)) }.joined(separator: "\n")).text
    return !kept.isEmpty && areLines(kept) ? kept : nil
  }

  /// All lines, joined by line feeds: zones, properties, components.
  package var text: String {
    (zones.joined() + properties.map(\.text) + components.joined()).joined(separator: "\n")
  }

  /// Adds a property.
  package mutating func add(_ line: ContentLine) { properties.append(line) }

  /// Adds the definition of a time zone, whose lines are joined by line feeds.
  package mutating func add(zone text: String) {
    zones.append(text.utf8.split(separator: 0x0A).map { String(Substring($0)) })
  }

  /// Adds a component, from `BEGIN` to `END`, or a time zone.
  package mutating func add(component lines: [String]) {
    if lines.first.flatMap({ try? ContentLine($0) })?.component == "VTIMEZONE" {
      zones.append(lines)
    } else {
      components.append(lines)
    }
  }

  /// Removes the properties with these names, given in upper case.
  package mutating func remove(_ names: Set<String>) {
    properties.removeAll { names.contains($0.name) }
  }

  /// Removes the components that have a line which cannot be parsed. Returns these lines.
  package mutating func removeUnread() -> [String] {
    var unread: [String] = []
    components.removeAll { component in
      let lines = component.filter { $0.hasPrefix("\(ContentLine.unread):") }
      unread += lines.prefix(1).map {
        ContentLine.text(String($0.dropFirst(ContentLine.unread.count + 1)))
      }
      return !lines.isEmpty
    }
    return unread
  }

  /// The names of the time zones used in all lines, or in these ones, as the bytes in the file.
  package func namedZones(_ lines: [String]? = nil) -> Set<[UInt8]> {
    let lines = lines ?? (properties.map(\.text) + components.joined())
    return Set(lines.compactMap { try? ContentLine($0).parameter("TZID").map { Array($0.utf8) } })
  }

  /// The definitions of the time zones used in these lines.
  package func zones(namedBy lines: [String]) -> [(name: String, lines: [String])] {
    guard !zones.isEmpty else { return [] }
    let names = namedZones(lines)
    return zones.compactMap { zone in
      let name = zone.lazy.compactMap { try? ContentLine($0) }.first { $0.name == "TZID" }?.value
      guard let name, names.contains(Array(name.utf8)) else { return nil }
      return (name, zone)
    }
  }

  /// The first property with that name, given in upper case.
  package func first(_ name: String) -> ContentLine? { properties.first { $0.name == name } }
}
