import Foundation
import TestSupport
import Testing

extension ProcessTests {
  /// Sends the public JSON parsing suite as requests to `Examples/http-probe`.
  @Suite struct ProbeTests {
    @Test("Every valid JSON text is accepted and every invalid one refused (item 67)")
    func parsingSuite() throws {
      let folder = try TemporaryFolder()
      let executable =
        URL(fileURLWithPath: MartletProcess.executable)
        .deletingLastPathComponent().path + "/http-probe"
      let process = try ChildProcess(executable, ["0"], folder: folder)
      defer { process.signal(SIGKILL) }
      let line = try #require(try process.line())
      let port = try #require(line.split(separator: ":").last.flatMap { UInt16($0) }, "\(line)")
      let client = try RawClient(port: port)

      var counts: [Character: Int] = [:]
      for each in try EscapedBytes.cases("Tests/Libraries/MartletJSONTests/Cases/parsing.txt") {
        let name = each.name
        let kind = try #require(name.first)
        counts[kind, default: 0] += 1
        let length = ("Content-Length", "\(each.bytes.count)")
        try client.send(RawClient.head("POST", "/json", [length]))
        try client.send(each.bytes)
        let answer = try client.response()
        switch kind {
        case "y": #expect(answer.status == 204, "\(name): \(answer.text)")
        case "n": #expect(answer.status == 400, "\(name)")
        default: #expect(answer.status == 204 || answer.status == 400, "\(name)")
        }
        #expect(answer["Connection"] == nil, "\(name): the connection stays")
      }
      #expect(counts == ["y": 95, "n": 188, "i": 35])
    }
  }
}
