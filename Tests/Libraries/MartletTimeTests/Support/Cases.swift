import Foundation

/// The files in `Cases`, located relative to this source file.
enum Cases {
  static let directory = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Cases")

  /// The words of each line of a file.
  static func lines(of name: String) throws -> [[Substring]] {
    try String(contentsOf: directory.appending(path: name), encoding: .utf8)
      .split(separator: "\n").map { $0.split(separator: " ") }
  }
}
