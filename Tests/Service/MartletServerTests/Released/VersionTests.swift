import Foundation
import TestSupport
import Testing

@testable import MartletServer

@Suite struct VersionTests {
  @Test("The newest release in CHANGELOG.md is the version of the program, and has a database file")
  func one() throws {
    let headings = try Repository.text("CHANGELOG.md")
      .matches(of: #/(?m)^## (\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$/#)
    #expect(headings.first.map { String($0.1) } == Program.version)
    let file = "\(Repository.root)/Tests/Released/\(Program.version).db"
    #expect(FileManager.default.fileExists(atPath: file), "\(file)")
  }

  @Test(
    "Pages name the release to depend on",
    arguments: ["docs/libraries.md", "Examples/template/Package.swift"])
  func dependency(page: String) throws {
    let text = try Repository.text(page)
    #expect(text.contains(".upToNextMinor(from: \"\(Program.version)\")"))
  }
}
