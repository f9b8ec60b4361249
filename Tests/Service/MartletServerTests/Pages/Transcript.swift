import Foundation

/// The commands of a page and their documented output.
///
/// They are in blocks of ```` ```console ```` between `<!-- transcript -->` and `<!-- /transcript
/// -->`. Lines that begin with `$ ` are commands. The lines after them are their output, in which
/// `…` stands for any text. The output of a command that ends in `&` follows later, after `# in the
/// first terminal`. A block of ```` ```python ```` that begins with `# name.py` is a file that the
/// commands use.
struct Transcript {
  struct Step: Equatable {
    var command: String
    var output: [String] = []

    var isInBackground: Bool { command.hasSuffix("&") }
  }

  enum Item: Equatable {
    case command(Step)
    /// The output of the background command so far.
    case firstTerminal([String])
  }

  private(set) var items: [Item] = []
  /// The files by their names.
  private(set) var files: [String: String] = [:]

  init(page: String) {
    var isInside = false
    var isConsole = false
    var file: [String]?
    for line in page.components(separatedBy: "\n") {
      switch line {
      case "<!-- transcript -->": isInside = true
      case "<!-- /transcript -->": isInside = false
      case "```console" where isInside: isConsole = true
      case "```python" where isInside: file = []
      case "```":
        isConsole = false
        if let lines = file, let name = lines.first?.dropFirst("# ".count) {
          files[String(name)] = lines.joined(separator: "\n") + "\n"
        }
        file = nil
      default:
        if isConsole { take(line) }
        file?.append(line)
      }
    }
  }

  private mutating func take(_ line: String) {
    if line.hasPrefix("$ ") {
      items.append(.command(Step(command: String(line.dropFirst(2)))))
    } else if line == "# in the first terminal" {
      items.append(.firstTerminal([]))
    } else {
      switch items.popLast() {
      case .command(var step):
        step.output.append(line)
        items.append(.command(step))
      case .firstTerminal(let lines): items.append(.firstTerminal(lines + [line]))
      case nil: break
      }
    }
  }

  /// Whether the text matches the expected lines, in which `…` stands for any text within a line.
  /// Empty lines at the end are ignored.
  static func matches(_ text: String, _ expected: [String]) -> Bool {
    let lines = trimmed(text.components(separatedBy: "\n"))
    let expected = trimmed(expected)
    return lines.count == expected.count
      && zip(lines, expected).allSatisfy { matches(line: $0, pattern: $1) }
  }

  static func matches(line: String, pattern: String) -> Bool {
    var pieces = pattern.components(separatedBy: "…")
    guard pieces.count > 1 else { return line == pattern }
    let first = pieces.removeFirst()
    let last = pieces.removeLast()
    guard line.count >= first.count + last.count, line.hasPrefix(first), line.hasSuffix(last)
    else { return false }
    var rest = line.dropFirst(first.count).dropLast(last.count)
    for piece in pieces where !piece.isEmpty {
      guard let found = rest.range(of: piece) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }

  private static func trimmed(_ lines: [String]) -> ArraySlice<String> {
    var lines = lines[...]
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}
