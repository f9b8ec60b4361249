import Foundation

/// The Swift of a page, for the test that compiles the same lines.
public enum CodeBlocks {
  /// Of a page by its path in the repository.
  public static func of(page: String) throws -> [String] {
    try Repository.text(page).components(separatedBy: "```swift\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
  }

  /// Whether a source file has the block's lines one after the other, however far it indents them.
  public static func contains(_ block: String, in file: String) throws -> Bool {
    let source = lines(try String(contentsOfFile: file, encoding: .utf8)).joined(separator: "\n")
    return source.contains(lines(block).joined(separator: "\n"))
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }
}
