import Foundation
import TestSupport
import Testing

/// docs/own-service.md is made of pieces of Examples/blog.
@Suite("The page about a service of one's own") struct OwnServicePageTests {
  @Test("Its code is the example's, to the letter")
  func code() throws {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(
      contentsOf: root.appending(path: "docs/own-service.md"), encoding: .utf8)
    let example = try ["Tables", "Routes", "main"].map {
      try String(
        contentsOf: root.appending(path: "Examples/blog/\($0).swift"), encoding: .utf8)
    }.joined()
    let blocks = page.components(separatedBy: "```swift\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
    #expect(blocks.count == 8)
    for block in blocks { #expect(example.contains(block), "not in Examples/blog: \(block)") }
  }
}
