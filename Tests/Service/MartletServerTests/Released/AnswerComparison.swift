import Foundation

/// What a later version may answer differently: it may add members to an object, columns to a
/// table, properties to a component of a calendar file, and lines of a new type to an export.
/// Everything else must be as it was.
struct AnswerComparison {
  /// Members of objects, wherever they are, of which only the kind of value is compared.
  var loose: Set<String> = []

  /// The first difference between two contents of a type; `nil` if there is none.
  func difference(of new: String, from old: String, type: String) -> String? {
    switch type {
    case "application/x-ndjson":
      let old = lines(old)
      let types = Set(old.map { text($0["type"]) })
      let new = lines(new).filter { types.contains(text($0["type"])) }
      guard new.count == old.count else { return "\(new.count) lines, and there were \(old.count)" }
      return first(zip(new, old).map { difference(of: $0, from: $1, at: "line") })
    case "text/csv": return tableDifference(Table(new), Table(old))
    case "text/calendar":
      // What another program has put comes back byte for byte.
      guard old.contains("PRODID:-//martlet//") else {
        return new == old ? nil : "\(new)was\n\(old)"
      }
      guard let new = Component(new), let old = Component(old) else { return "no calendar" }
      return new.difference(from: old)
    default: return new == old ? nil : "\(new)\nwas\n\(old)"
    }
  }

  /// The first difference between two JSON values; `nil` if there is none.
  func difference(of new: Any?, from old: Any?, at path: String = "") -> String? {
    switch (new, old) {
    case (let new as [String: Any], let old as [String: Any]):
      return first(
        old.sorted { $0.key < $1.key }.map { name, value in
          guard let found = new[name] else { return "\(path)/\(name) is missing" }
          guard loose.contains(name) else {
            return difference(of: found, from: value, at: "\(path)/\(name)")
          }
          let kinds = (kind(found), kind(value))
          return kinds.0 == kinds.1 ? nil : "\(path)/\(name) is \(kinds.0), and was \(kinds.1)"
        })
    case (let new as [Any], let old as [Any]):
      guard new.count == old.count else {
        return "\(path) has \(new.count) elements, and had \(old.count)"
      }
      return first(zip(new, old).map { difference(of: $0, from: $1, at: path + "/…") })
    default:
      let (new, old) = (text(new), text(old))
      return new == old ? nil : "\(path) is \(new), and was \(old)"
    }
  }

  private func first(_ differences: [String?]) -> String? {
    differences.lazy.compactMap { $0 }.first
  }

  private func lines(_ text: String) -> [[String: Any]] {
    text.split(separator: "\n").map {
      let line = try? JSONSerialization.jsonObject(with: Data($0.utf8))
      return line as? [String: Any] ?? [:]
    }
  }

  /// A value as JSON, in which 1 and true differ.
  private func text(_ value: Any?) -> String {
    guard let value,
      let data = try? JSONSerialization.data(
        withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys])
    else { return "nothing" }
    return String(decoding: data, as: UTF8.self)
  }

  private func kind(_ value: Any?) -> String {
    switch text(value).first {
    case "\"": "text"
    case "{": "an object"
    case "[": "an array"
    case "t", "f": "a Boolean"
    case "n": "null"
    default: "a number"
    }
  }
}

// MARK: Tables

/// A CSV file with a line of titles.
private struct Table {
  var titles: [String]
  var rows: [[String]]

  init(_ text: String) {
    var rows: [[String]] = [[""]]
    var isQuoted = false
    var last: Character = "\n"
    for character in text {
      defer { last = character }
      switch character {
      case "\"":
        // The second one of two inside quotes.
        if !isQuoted, last == "\"" { rows[rows.count - 1][rows[rows.count - 1].count - 1] += "\"" }
        isQuoted.toggle()
      case "," where !isQuoted: rows[rows.count - 1].append("")
      case "\n" where !isQuoted, "\r\n" where !isQuoted: rows.append([""])
      default: rows[rows.count - 1][rows[rows.count - 1].count - 1].append(character)
      }
    }
    titles = rows.removeFirst()
    self.rows = rows
  }
}

private func tableDifference(_ new: Table, _ old: Table) -> String? {
  guard new.rows.count == old.rows.count else {
    return "\(new.rows.count) rows, and there were \(old.rows.count)"
  }
  for (index, title) in old.titles.enumerated() {
    guard let place = new.titles.firstIndex(of: title) else {
      return "the column \(title) is missing"
    }
    for (new, old) in zip(new.rows, old.rows)
    where (place < new.count ? new[place] : "") != (index < old.count ? old[index] : "") {
      return "\(title) differs: \(new), and was \(old)"
    }
  }
  return nil
}

// MARK: Calendar files

/// A component of an iCalendar file. The order of its properties has no meaning.
private struct Component {
  var name: String
  var properties: [String] = []
  var components: [Component] = []

  /// Nothing if the text is not one component.
  init?(_ text: String) {
    let unfolded = text.replacingOccurrences(of: "\r\n ", with: "")
    var open = [Component(name: "")]
    for line in unfolded.components(separatedBy: "\r\n") where !line.isEmpty {
      if line.hasPrefix("BEGIN:") {
        open.append(Component(name: line))
      } else if line.hasPrefix("END:") {
        guard open.count > 1 else { return nil }
        let ended = open.removeLast()
        open[open.count - 1].components.append(ended)
      } else {
        open[open.count - 1].properties.append(line)
      }
    }
    guard open.count == 1, open[0].components.count == 1 else { return nil }
    self = open[0].components[0]
  }

  private init(name: String) { self.name = name }

  func difference(from old: Component) -> String? {
    guard name == old.name else { return "\(name), and was \(old.name)" }
    var rest = properties
    for property in old.properties {
      guard let index = rest.firstIndex(of: property) else {
        return "\(name) lacks \(property): \(properties)"
      }
      rest.remove(at: index)
    }
    guard components.count == old.components.count else {
      return "\(name) has \(components.count) components, and had \(old.components.count)"
    }
    return zip(components, old.components).lazy.compactMap { $0.difference(from: $1) }.first
  }
}
