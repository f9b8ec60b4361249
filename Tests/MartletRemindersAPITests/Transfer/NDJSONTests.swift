import MartletJSON
import MartletLiveAPI
import Testing

@testable import MartletRemindersAPI

@Suite("Newline-delimited JSON") struct NDJSONTests {
  private static let lines = [
    #"{"type":"martlet","version":1}"#, #"{"type":"list","id":2,"title":"Home"}"#,
    #"{"type":"tag","title":"car"}"#, #"{"type":"reminder","id":7,"listID":2,"title":"Tyres"}"#,
    #"{"type":"reminder","id":8,"listID":2,"title":"Oil"}"#,
    #"{"type":"end","lists":1,"tags":1,"reminders":2}"#,
  ]

  private func read(_ lines: [String]) throws -> Int {
    let text = lines.map { $0 + "\n" }.joined()
    var memory = MemoryLines(SharedBytes(Array(text.utf8)))
    return try TransferFormat.ndjson.records(&memory, most: 1_000).count
  }

  private func refusal(_ lines: [String]) -> String? {
    do {
      _ = try read(lines)
      return nil
    } catch {
      return (error as? APIProblem).map { "\($0.detail) \($0.errors.map(\.detail))" } ?? "\(error)"
    }
  }

  @Test("A truncated file is refused, wherever it was cut")
  func cut() throws {
    #expect(try read(Self.lines) == 4)
    for count in 1..<Self.lines.count {
      let refusal = refusal(Array(Self.lines.prefix(count)))
      #expect(refusal?.contains("ends early") == true, "\(count) lines: \(refusal ?? "accepted")")
    }
  }

  @Test("The counts reveal lines that are missing in the middle", arguments: 2...4)
  func missing(_ place: Int) {
    var lines = Self.lines
    lines.remove(at: place)
    #expect(refusal(lines)?.contains("The last line counts") == true)
  }

  @Test("The first and the last line are optional, for files written by hand")
  func byHand() throws {
    #expect(try read(Array(Self.lines[1...4])) == 4)
    #expect(refusal([])?.contains("empty") == true)
  }

  @Test("Lines after the last or before the first one, and other versions, are refused")
  func order() {
    #expect(refusal(Self.lines + [Self.lines[2]]) != nil)
    #expect(refusal([Self.lines[1], Self.lines[0], Self.lines[5]]) != nil)
    #expect(refusal([#"{"type":"martlet","version":2}"#, Self.lines[5]]) != nil)
  }
}
