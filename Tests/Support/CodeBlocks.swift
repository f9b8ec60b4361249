import Foundation

/// Extracts the Swift code of a page, for tests that compile the same lines.
public enum CodeBlocks {
  /// Returns the Swift code blocks of a page, given its path in the repository.
  public static func of(page: String) throws -> [String] {
    try Repository.text(page).components(separatedBy: "```swift\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
  }

  /// Returns whether a source file contains the block's lines in sequence, ignoring indentation and
  /// empty lines.
  public static func contains(_ block: String, in file: String) throws -> Bool {
    let source = lines(try String(contentsOfFile: file, encoding: .utf8)).joined(separator: "\n")
    return source.contains(lines(block).joined(separator: "\n"))
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }
}
