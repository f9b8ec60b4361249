import Foundation
import MartletJSON
import Synchronization
import TestSupport
import Testing

@testable import MartletServer

@Suite struct LogTests {
  @Test("Control characters are escaped, so that clients cannot forge lines (item 85)")
  func escapes() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let log = Log()
      log(
        .error, "a\nb",
        ["k": "v\r\n2026-11-20 info forged", "e": "\u{1B}[2J\u{85}", "q": "say \"x\""])
      log.finish()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let line = try #require(text.split(separator: "\n").first { $0.contains(" error ") })
    #expect(
      line.hasSuffix(
        #"error a\u{a}b k="v\u{d}\u{a}2026-11-20 info forged" e=\u{1b}[2J\u{85} q="say \"x\"""#))
    #expect(!text.contains("\n2026-11-20 info forged"))
  }

  /// The lines of a log, each of which must be a JSON object.
  private func lines(_ log: String) throws -> [[String: Any]] {
    try log.split(separator: "\n").map { line in
      try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }
  }

  @Test("Each request has a line without its query, in JSON unless on a terminal")
  func requests() throws {
    let server = try MartletProcess()
    let client = try RawClient(port: server.port)
    let made = try client.post("/v1/reminders", #"{"listID":1,"title":"x"}"#)
    _ = try client.get("/v1/reminders/1?colour=s3cret")
    _ = try client.get("/nowhere/%22%0a", [("X-Request-ID", "mine-1")])
    let lines = try lines(try server.stop().errors)
    #expect(lines.allSatisfy { $0["time"] is String && $0["level"] is String })
    #expect(lines.first?["message"] as? String == "migrated")
    let requests = lines.filter { $0["message"] as? String == "request" }
    #expect(requests.compactMap { $0["method"] as? String } == ["POST", "GET", "GET"])
    #expect(requests.compactMap { $0["status"] as? Int } == [201, 400, 404])
    #expect(
      requests.compactMap { $0["path"] as? String }
        == ["/v1/reminders", "/v1/reminders/1", "/nowhere/%22%0a"])
    #expect(
      requests.map { $0["route"] as? String } == ["/v1/reminders", "/v1/reminders/{id}", nil])
    #expect(requests[0]["bytes"] as? Int == made.body.count)
    #expect(requests[0]["id"] as? String == made["X-Request-ID"])
    #expect(requests[2]["id"] as? String == "mine-1")
    #expect(requests.allSatisfy { $0["client"] as? String == "127.0.0.1" })
    #expect(requests.allSatisfy { ($0["microseconds"] as? Int ?? 0) > 0 })
    #expect(!"\(lines)".contains("s3cret"))
  }

  @Test("In JSON, numbers are numbers, and absent values are null")
  func numbers() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let log = Log(.info, .json, to: ends[1])
    log(.info, "backed up", ["file": "12", "bytes": .number(123), "key": .absent])
    log.finish()
    close(ends[1])
    let text = try FileHandle(fileDescriptor: ends[0], closeOnDealloc: true).readToEnd()
    let line = try #require(try lines(String(decoding: text ?? Data(), as: UTF8.self)).first)
    #expect(line["file"] as? String == "12")
    #expect(line["bytes"] as? Int == 123)
    #expect(line["key"] is NSNull)
  }

  @Test("A request that reaches no route has a line with its client and the reason")
  func refused() throws {
    let server = try MartletProcess(["--max-body", "1KiB"])
    let large = String(repeating: "x", count: 2000)
    #expect(try RawClient(port: server.port).post("/v1/lists", large).status == 413)
    #expect(try RawClient(port: server.port).get("/v1/lists", [("a b", "c")]).status == 400)
    let lines = try lines(try server.stop().errors)
    let refused = lines.filter { $0["message"] as? String == "refused" }
    #expect(
      refused.compactMap { $0["reason"] as? String } == ["payload-too-large", "bad-request"])
    #expect(refused.allSatisfy { $0["client"] as? String == "127.0.0.1" })
    #expect(!lines.contains { $0["message"] as? String == "request" })
  }

  @Test("The text format, and the lowest level to log")
  func levels() throws {
    let text = try MartletProcess(["--log-format", "text"])
    _ = try RawClient(port: text.port).get("/v1/lists")
    #expect(
      try text.stop().errors.contains(
        #/(?m)^\S+Z info GET /v1/lists 200 \d+ bytes \d+\.\d{3} ms client=127.0.0.1 id=\S+$/#))
    let quiet = try MartletProcess(["--log-level", "warning"])
    _ = try RawClient(port: quiet.port).get("/v1/lists")
    #expect(try quiet.stop().errors == "")
    for wrong in [["--log-level", "loud"], ["--log-format", "xml"]] {
      let result = try MartletProcess.run(["serve"] + wrong)
      #expect(result.code == 2 && result.errors.contains("\(wrong[0]) must be one of "))
    }
  }

  @Test("In text, quotation marks in values are escaped, even before a combining mark")
  func quotes() {
    let line = ByteBuffer(capacity: 64)
    LogText.append("name", "a \"\u{301}b", to: line)
    #expect(line.bytes.elementsEqual(" name=\"a \\\"\u{301}b\"".utf8))
  }

  @Test("A slow query is logged with its plan and without its values")
  func slowQuery() throws {
    let folder = try TemporaryFolder()
    let seed = ["seed", "--reminders", "24000", "--database", folder.file("martlet.db")]
    #expect(try MartletProcess.run(seed).code == 0)
    let server = try MartletProcess(["--slow-query", "1ms"], in: folder)
    let client = try RawClient(port: server.port)
    #expect(try client.get("/v1/stats").status == 200)
    #expect(try server.metric("martlet_slow_queries_total") >= 1)
    let slow = try lines(try server.stop().errors).filter {
      $0["message"] as? String == "slow query"
    }
    // On a busy machine others are slow as well.
    let stats = try #require(
      slow.first { slow in
        (slow["sql"] as? String)?.contains("count(") == true
          && (slow["plan"] as? String)?.contains("reminders") == true
      }, "\(slow)")
    #expect(stats["level"] as? String == "warning")
    #expect((stats["milliseconds"] as? Int ?? 0) >= 1)
    #expect((stats["sql"] as? String)?.contains("?") == true)
  }

  @Test("A reader that does not read blocks nothing, and dropped lines are reported")
  func unread() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let sink = LogSink(ends[1]) { $1.append(utf8: "\($0) lines were left out\n") }
    let line = String(repeating: "x", count: 1000) + "\n"
    // Far more than the pipe and the queue can hold.
    for _ in 0..<5_000 { sink.add(atOnce: false) { $0.append(utf8: line) } }
    let reader = ends[0]
    let read = Mutex(Data())
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      let file = FileHandle(fileDescriptor: reader, closeOnDealloc: true)
      let all = (try? file.readToEnd()) ?? Data()
      read.withLock { $0 = all }
      done.signal()
    }
    // The second call writes the lines that were added during the first.
    sink.finish()
    sink.finish()
    close(ends[1])
    #expect(done.wait(timeout: .now() + Deadline.hang) == .success)
    let text = read.withLock { String(decoding: $0, as: UTF8.self) }
    let lines = text.split(separator: "\n")
    #expect(lines.count { $0.allSatisfy { $0 == "x" } && $0.count == 1000 } >= 1_000)
    #expect(lines.last?.hasSuffix("lines were left out") == true)
  }

  @Test("Header fields are never logged, even if the request fails (item 85)")
  func secrets() throws {
    let server = try MartletProcess()
    let secrets = [("Authorization", "Bearer s3cret-key"), ("Cookie", "session=s3cret-cookie")]
    for (method, target) in [
      ("GET", "/v1/lists"), ("POST", "/v1/lists"), ("GET", "/nowhere"), ("PUT", "/v1/lists"),
    ] {
      let client = try RawClient(port: server.port)
      _ = try client.request(method, target, secrets, body: method == "GET" ? nil : "{")
    }
    let refused = try RawClient(port: server.port)
    try refused.send("GET / HTTP/1.1\r\nAuthorization: s3cret-key\r\nBad Name: s3cret\r\n\r\n")
    #expect(try refused.response().status == 400)
    let end = try server.stop()
    #expect(end.errors.contains("stopped"))
    #expect(!end.errors.contains("s3cret"))
  }
}
