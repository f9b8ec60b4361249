import Foundation
import TestSupport
import Testing

@Suite("docs/metrics.md") struct MetricsPageTests {
  private func names(_ text: String, _ pattern: Regex<(Substring, Substring)>) -> Set<String> {
    Set(text.matches(of: pattern).map { String($0.1) })
  }

  @Test("it has the metrics that are served, and no others")
  func names() throws {
    let folder = try TemporaryFolder()
    let server = try MartletProcess(["--backup-dir", folder.file("backups")], in: folder)
    let client = try RawClient(port: server.port)
    let deadline = ContinuousClock.now + .seconds(20)
    var text = ""
    repeat {
      text = try client.get("/metrics").text
    } while !text.contains("backup_age") && ContinuousClock.now < deadline
    let served = names(text, #/(?m)^# TYPE (\w+) (?:counter|gauge)$/#)
    let described = names(text, #/(?m)^# HELP (\w+) .+$/#)
    #expect(served == described)
    #expect(served == names(try Repository.text("docs/metrics.md"), #/(?m)^\| `(martlet_\w+)` \|/#))
    _ = try server.stop()
  }

  @Test("Each refusal is counted under its reason")
  func reasons() throws {
    let server = try MartletProcess([
      "--max-streams", "0", "--head-timeout", "300ms", "--max-header", "256B",
    ])
    func send(_ text: String) throws {
      let client = try RawClient(port: server.port)
      try client.send(text)
      _ = try client.receiveAll()
    }
    try send("GET / HTTP/1.1\r\n\r\n")
    try send("")
    try send(
      "GET / HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "x", count: 300))\r\n\r\n")
    try send("GET /v1/lists HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
    for reason in ["bad-request", "idle", "headers-too-large", "too-many-streams"] {
      #expect(try server.metric("martlet_rejections_total{reason=\"\(reason)\"}") >= 1)
    }
    _ = try server.stop()
  }
}
