/// A manual page in the macros of man(7).
///
/// Source: https://man7.org/linux/man-pages/man7/man.7.html
struct Roff {
  private(set) var text: String
  /// Whether nothing stands below the heading yet: then a paragraph needs no macro.
  private var isEmpty = false

  /// Begins a page.
  ///
  /// - Parameters:
  ///   - name: The name of the page: `martlet-key`.
  ///   - section: 1 for commands, 5 for files.
  ///   - summary: What stands behind the name in the list of all pages.
  init(_ name: String, section: Int, summary: String) {
    text = """
      .TH \(Roff.escaped(name.uppercased())) \(section) "" "Martlet \(Program.version)"
      .SH NAME
      \(Roff.escaped(name)) \\- \(Roff.escaped(summary))

      """
  }

  mutating func section(_ title: String) {
    text += ".SH \(title.uppercased())\n"
    isEmpty = true
  }

  mutating func paragraph(_ words: String) {
    begin()
    text += Roff.line(words) + "\n"
  }

  private mutating func begin() {
    if !isEmpty { text += ".PP\n" }
    isEmpty = false
  }

  /// An entry of a list: a name in bold, a placeholder in italics, and what it means.
  mutating func entry(_ name: String, _ placeholder: String = "", _ words: [String]) {
    isEmpty = false
    text += ".TP\n\\fB\(Roff.escaped(name))\\fR"
    text += placeholder.isEmpty ? "\n" : " \\fI\(Roff.escaped(placeholder))\\fR\n"
    text += words.map { Roff.line($0) + "\n" }.joined(separator: ".br\n")
  }

  /// Lines that are printed as they are.
  mutating func example(_ lines: [String]) {
    begin()
    text += ".RS 4\n.nf\n\(lines.map(Roff.line).joined(separator: "\n"))\n.fi\n.RE\n"
  }

  /// References to other pages.
  mutating func see(_ pages: [(name: String, section: Int)]) {
    section("See also")
    text +=
      pages.map { "\\fB\(Roff.escaped($0.name))\\fR(\($0.section))" }
      .joined(separator: ",\n") + "\n"
  }

  /// A line of text. One that begins with a dot or an apostrophe would be a macro.
  private static func line(_ words: String) -> String {
    words.hasPrefix(".") || words.hasPrefix("'") ? "\\&" + escaped(words) : escaped(words)
  }

  /// Dashes can be searched for and copied only as `\-`.
  private static func escaped(_ words: String) -> String {
    var escaped = ""
    for character in words {
      switch character {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "–": escaped += "\\[en]"
      case "…": escaped += "..."
      default: escaped.append(character)
      }
    }
    return escaped
  }
}
