import Glibc

/// A configuration file. Each line has a setting, named like its flag:
///
///     # limits of this server
///     max-body = 256KiB
///     allowed-host = todo.example.org
///     allow-no-keys = true
struct ConfigurationFile {
  /// The settings in the order of the file, with their line numbers.
  private(set) var values: [(flag: String, value: String, line: Int)] = []
  let path: String

  init(_ path: String) throws {
    self.path = path
    guard let file = fopen(path, "r") else {
      throw UsageError("\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    var number = 0
    while getline(&line, &capacity, file) >= 0, let text = line.map({ String(cString: $0) }) {
      number += 1
      // Some editors write a byte order mark at the start of the file.
      try read(number == 1 && text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text, number)
    }
    guard ferror(file) == 0 else { throw UsageError("\(path) cannot be read") }
  }

  private mutating func read(_ line: String, _ number: Int) throws {
    let content = ConfigurationFile.withoutComment(line)
    guard !content.isEmpty else { return }
    let pieces = content.utf8.split(
      separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false
    ).map { Substring($0) }
    guard pieces.count == 2 else {
      throw UsageError("\(path):\(number): a line must be name = value, not \"\(content)\"")
    }
    values.append((String(pieces[0].trimmed), String(pieces[1].trimmed), number))
  }

  /// The line without its comment.
  ///
  /// A `#` begins a comment only at the start of the line or after white space, because file names
  /// may contain it.
  private static func withoutComment(_ line: String) -> String {
    var isAfterSpace = true
    for place in line.unicodeScalars.indices {
      let scalar = line.unicodeScalars[place]
      if scalar == "#", isAfterSpace { return line[..<place].trimmed }
      isAfterSpace = scalar.properties.isWhitespace
    }
    return line.trimmed
  }
}

extension StringProtocol {
  /// The string without white space at both ends.
  var trimmed: String {
    var text = Substring(self)
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text.drop { $0.isWhitespace })
  }
}
