import Foundation

/// The checkout that the tests were built from.
public enum Repository {
  /// The path of its root directory.
  public static let root: String = {
    var url = URL(fileURLWithPath: #filePath)
    while url.path != "/" {
      url.deleteLastPathComponent()
      if FileManager.default.fileExists(atPath: url.path + "/Package.swift") { return url.path }
    }
    preconditionFailure("no Package.swift above \(#filePath)")
  }()

  /// Returns the paths of the pages in `docs`.
  public static func pages() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root + "/docs").sorted()
      .filter { $0.hasSuffix(".md") }.map { "docs/\($0)" }
  }

  /// Returns the contents of a file, given its path in the repository.
  public static func text(_ path: String) throws -> String {
    try String(contentsOfFile: root + "/" + path, encoding: .utf8)
  }
}
