import Foundation
import TestSupport
import Testing

@Suite struct ServeTests {
  @Test("The first line has the address, and the log an example request")
  func greeting() throws {
    let server = try MartletProcess()
    #expect(server.greeting == "listening on http://127.0.0.1:\(server.port)")
    #expect(try RawClient(port: server.port).get("/readyz").text == #"{"status":"ok"}"#)
    let end = try server.stop()
    #expect(end.output == "", "standard output has the greeting and nothing else")
    #expect(end.errors.contains("curl http://127.0.0.1:\(server.port)/v1/lists"))
  }

  @Test(
    "The service manager is notified when the server listens and when it stops",
    arguments: ["", "@"])
  func tellsTheManager(_ mark: String) throws {
    let folder = try TemporaryFolder()
    let path = mark + folder.file("notify")
    let manager = try #require(Datagrams(path))
    let server = try MartletProcess(in: folder, environment: ["NOTIFY_SOCKET": path])
    #expect(manager.next() == "READY=1")
    _ = try server.stop()
    #expect(manager.next() == "STOPPING=1")
  }

  /// A datagram socket like that of systemd.
  private final class Datagrams {
    private let file: Int32

    init?(_ path: String) {
      file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) {
        $0.copyBytes(from: path.utf8)
        if path.hasPrefix("@") { $0[0] = 0 }
      }
      let length = socklen_t(2 + path.utf8.count)
      let isBound = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(file, $0, length) == 0 }
      }
      guard isBound else { return nil }
    }

    deinit { close(file) }

    func next() -> String {
      var bytes = [UInt8](repeating: 0, count: 256)
      let count = recv(file, &bytes, bytes.count, 0)
      return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }
  }

  @Test("The example request in the log works, also beyond loopback and with keys")
  func example() throws {
    func status(_ arguments: [String], key: Bool = false) throws -> String {
      let folder = try TemporaryFolder()
      var environment: [String: String] = [:]
      if key {
        #expect(
          try MartletProcess.run(["migrate", "--database", "martlet.db"], in: folder).code == 0)
        environment["KEY"] = try MartletProcess.run(
          ["key", "create", "--name", "a", "--scope", "read", "--database", "martlet.db"],
          in: folder
        ).output.trimmingCharacters(in: .newlines)
      }
      let server = try MartletProcess(arguments, in: folder)
      let log = try server.stop().errors
      let line = try #require(log.firstMatch(of: #/try: (curl [^"]*)/#)?.1)
      // On the same port, because the example is from the previous run.
      let again = try MartletProcess(arguments, in: folder, port: server.port)
      defer { _ = try? again.stop() }
      return try ChildProcess(
        "/bin/sh", ["-c", "\(line) -s -o /dev/null -w '%{http_code}'"], environment: environment,
        folder: folder
      ).wait().output
    }
    #expect(try status([]) == "200")
    #expect(try status(["--host", "::1"]) == "200")
    #expect(try status(["--host", "0.0.0.0", "--allow-no-keys"]) == "200")
    #expect(try status([], key: true) == "200")
    #expect(try status(["--host", "0.0.0.0"], key: true) == "200")
    #expect(try status(["--host", "::", "--allowed-host", "a.example"], key: true) == "200")
  }

  @Test("The limit of queued output is never smaller than the largest result")
  func largeResult() throws {
    let server = try MartletProcess(["--max-waiting-output", "1MiB"])
    defer { _ = try? server.stop() }
    let client = try RawClient(port: server.port)
    #expect(try client.post("/v1/lists", #"{"title":"a"}"#).status == 201)
    let notes = String(repeating: "x", count: 9_000)
    let one =
      #"{"method":"POST","path":"/v1/lists/1/reminders","body":{"title":"a","notes":"\#(notes)"}}"#
    for _ in 0..<2 {
      let operations = [String](repeating: one, count: 100).joined(separator: ",")
      #expect(try client.post("/v1/batch", "{\"operations\":[\(operations)]}").status == 200)
    }
    let answer = try client.get("/v1/reminders?limit=200")
    #expect(answer.status == 200 && answer.body.count > 1 << 20)
  }

  @Test("Every line of a JSON log is an object, and no line of a text log is")
  func format() throws {
    for format in ["json", "text"] {
      let server = try MartletProcess(["--log-format", format, "--first-key"])
      let lines = (server.firstLine + "\n" + (try server.stop().errors)).split(separator: "\n")
      #expect(lines.contains { $0.contains("listening on") })
      #expect(lines.contains { $0.contains("shown only once: mk_1_") })
      for line in lines {
        let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect((object?["message"] != nil) == (format == "json"), "\(line)")
      }
    }
  }

  @Test("--time-zone defines today for requests without timeZone=")
  func timeZone() throws {
    // Kiritimati is 25 hours ahead of Pago Pago, so their dates always differ.
    let zones = ["Pacific/Kiritimati", "Pacific/Pago_Pago"]
    var due: [String: Int] = [:]
    for zone in zones {
      let server = try MartletProcess(["--time-zone", zone])
      let client = try RawClient(port: server.port)
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = try #require(TimeZone(identifier: zone))
      let parts = calendar.dateComponents([.year, .month, .day], from: Date())
      let pair = [parts.month ?? 0, parts.day ?? 0].map { $0 < 10 ? "0\($0)" : "\($0)" }
      let date = "\(parts.year ?? 0)-\(pair[0])-\(pair[1])"
      let body = #"{"listID":1,"title":"x","dueDate":"\#(date)"}"#
      #expect(try client.post("/v1/reminders", body).status == 201)
      for path in ["/v1/reminders?due=today", "/v1/lists/1/reminders?due=today"] {
        #expect(try client.get(path).items.count == 1, "\(path) in \(zone)")
        let other = zones[zone == zones[0] ? 1 : 0]
        #expect(try client.get("\(path)&timeZone=\(other)").items.isEmpty)
      }
      due[zone] = try client.get("/v1/stats").json["today"] as? Int
    }
    #expect(due == [zones[0]: 1, zones[1]: 1])
  }

  @Test("Without --time-zone, reminders are in the machine's zone, and requests in UTC")
  func zoneOfTheMachine() throws {
    let timed = #"""
      {"listID":1,"title":"x","dueDate":"2026-11-24T08:00:00Z","recurrence":{"rule":"FREQ=DAILY"}}
      """#
    for (arguments, house) in [
      ([], "Pacific/Kiritimati"), (["--time-zone", "Europe/Vienna"], "Europe/Vienna"),
    ] {
      let environment = ["TZ": ":Pacific/Kiritimati"]
      let server = try MartletProcess(arguments, environment: environment)
      let client = try RawClient(port: server.port)
      let created = try client.post("/v1/reminders", timed).json
      #expect(created["timeZone"] as? String == house)
      // Two days that are only the same one in UTC.
      let body = #"{"listID":1,"title":"y","dueDate":"2020-01-01T09:59:00Z"}"#
      #expect(try client.post("/v1/reminders", body).status == 201)
      let day = "/v1/reminders?dueBefore=2020-01-02"
      #expect(try client.get(day).items.count == 1)
      #expect(try client.get("\(day)&timeZone=Pacific/Kiritimati").items.count == 1)
      let earlier = "/v1/reminders?dueBefore=2020-01-01T12:00:00Z&dueAfter=2019-12-31"
      #expect(try client.get(earlier).items.count == 1)
      // The import, which is a process of its own, and the doctor.
      let file = server.folder.file("in.csv")
      try "title,dueDate,recurrence\nz,2026-11-24T08:00:00Z,FREQ=DAILY\n".write(
        toFile: file, atomically: true, encoding: .utf8)
      let imported = try MartletProcess.run(
        ["import", file, "--database", server.folder.file("other.db")] + arguments,
        environment: environment, in: server.folder)
      #expect(imported.code == 0, "\(imported.errors)")
      let doctor = try MartletProcess.run(
        ["doctor", "--port", "0", "--database", server.folder.file("other.db")] + arguments,
        environment: environment, in: server.folder)
      #expect(doctor.output.contains("without a time zone are in \(house): "))
      let exported = try MartletProcess.run(
        ["export", "--database", server.folder.file("other.db")], in: server.folder)
      #expect(exported.output.contains(#""timeZone":"\#(house)""#))
    }
  }

  @Test("A taken port is reported in one line")
  func portInUse() throws {
    let server = try MartletProcess()
    let second = try MartletProcess.run(
      ["serve", "--port", "\(server.port)", "--database", server.folder.file("second.db")],
      in: server.folder)
    #expect(second.code == 1)
    #expect(second.output == "")
    let complaints = second.errors.split(separator: "\n").filter { $0.hasPrefix("martlet: ") }
    #expect(complaints.count == 1)
    #expect(complaints.first?.contains("127.0.0.1:\(server.port)") == true)
    #expect(complaints.first?.contains("Address already in use") == true)
    #expect(try RawClient(port: server.port).get("/livez").status == 200)
  }

  @Test("Beyond loopback with --allow-no-keys, only allowed hosts are served (item 18)")
  func allowNoKeys() throws {
    let server = try MartletProcess(
      ["--host", "0.0.0.0", "--allow-no-keys", "--allowed-host", "todo.example.org"])
    #expect(server.greeting == "listening on http://0.0.0.0:\(server.port)")
    func status(_ host: String) throws -> Int {
      try RawClient(port: server.port).get("/livez", [("Host", host)]).status
    }
    #expect(try status("todo.example.org") == 200)
    #expect(try status("todo.example.org:8080") == 200)
    #expect(try status("localhost") == 200)
    #expect(try status("other.example.org") == 421)
  }

  @Test("Pages of an allowed origin may write (item 62)")
  func allowedOrigin() throws {
    let server = try MartletProcess(["--allowed-origin", "https://todo.example.org"])
    func status(_ origin: String) throws -> Int {
      try RawClient(port: server.port).request(
        "POST", "/v1/lists", [("Origin", origin)], body: #"{"title":"x"}"#
      ).status
    }
    #expect(try status("https://todo.example.org") == 201)
    #expect(try status("https://other.example.org") == 403)
    #expect(try status("http://localhost") == 201, "its own origin")
  }

  @Test(
    "Pages of an allowed origin may read, and preflight requests are answered (item 62)"
  )
  func crossOrigin() throws {
    let server = try MartletProcess(["--allowed-origin", "https://todo.example.org"])
    let client = try RawClient(port: server.port)
    let friend = ("Origin", "https://todo.example.org")
    let read = try client.get("/v1/lists", [friend])
    #expect(read["Access-Control-Allow-Origin"] == friend.1)
    #expect(read["Access-Control-Expose-Headers"]?.contains("ETag") == true)
    #expect(read.fields.filter { $0.name == "Vary" }.map(\.value).contains("Origin"))
    let missing = try client.get("/v1/lists/999999", [friend])
    #expect(missing.status == 404 && missing["Access-Control-Allow-Origin"] == friend.1)

    let preflight = try client.request(
      "OPTIONS", "/v1/lists/1",
      [
        friend, ("Access-Control-Request-Method", "PATCH"),
        ("Access-Control-Request-Headers", "if-match"),
      ])
    #expect(preflight.status == 204)
    #expect(preflight["Access-Control-Allow-Origin"] == friend.1)
    #expect(preflight["Access-Control-Allow-Methods"]?.contains("PATCH") == true)
    #expect(preflight["Access-Control-Allow-Headers"]?.contains("If-Match") == true)

    for origin in ["https://other.example.org", "null", "https://todo.example.org.evil.example"] {
      let other = try client.get("/v1/lists", [("Origin", origin)])
      #expect(other.status == 200 && other["Access-Control-Allow-Origin"] == nil)
      #expect(other.fields.filter { $0.name == "Vary" }.map(\.value).contains("Origin"))
    }
  }

  @Test("Documents are compressed if the client accepts gzip, and revalidated")
  func documents() throws {
    let server = try MartletProcess()
    let client = try RawClient(port: server.port)
    for path in ["/openapi.yaml", "/try", "/try.css", "/try.js", "/app/martlet.js"] {
      let plain = try client.get(path)
      let coded = try client.get(path, [("Accept-Encoding", "gzip")])
      let tag = try #require(plain["ETag"])
      #expect(coded["Content-Encoding"] == "gzip" && coded.body.count < plain.body.count)
      #expect(plain["Vary"] == "Accept-Encoding" && coded["Vary"] == "Accept-Encoding")
      #expect(coded["ETag"] != nil && coded["ETag"] != tag)
      for known in [tag, "W/" + tag, "*"] {
        let unchanged = try client.get(path, [("If-None-Match", known)])
        #expect(unchanged.status == 304 && unchanged["ETag"] == tag && unchanged.body.isEmpty)
        #expect(unchanged["Vary"] == "Accept-Encoding")
      }
      #expect(try client.get(path, [("If-None-Match", "\"0000000000000000\"")]).status == 200)
    }
  }

  @Test("X-Forwarded-Host is accepted only from a trusted proxy (item 62)")
  func trustedProxy() throws {
    let fields = [
      ("Origin", "https://todo.example.org"), ("X-Forwarded-Host", "todo.example.org"),
      ("X-Forwarded-For", "127.0.0.1"),
    ]
    func status(_ arguments: [String]) throws -> Int {
      let server = try MartletProcess(arguments)
      return try RawClient(port: server.port).request(
        "POST", "/v1/lists", fields, body: #"{"title":"x"}"#
      ).status
    }
    let named = ["--allowed-host", "todo.example.org"]
    #expect(try status(["--trusted-proxy", "127.0.0.1"] + named) == 201)
    #expect(try status(["--trusted-proxy", "127.0.0.1"]) == 421, "not an allowed host")
    #expect(try status(["--trusted-proxy", "192.0.2.1"]) == 403)
    #expect(try status([]) == 403)
  }

  @Test("Completing becomes completed after the grace period, also across a restart")
  func gracePeriod() throws {
    let folder = try TemporaryFolder()
    let server = try MartletProcess(["--grace-period", "60000"], in: folder)
    let client = try RawClient(port: server.port)
    let body = #"{"listID":1,"title":"x","status":"completing"}"#
    #expect(try client.post("/v1/reminders", body).json["status"] as? String == "completing")
    try server.kill9()
    let next = try MartletProcess(["--grace-period", "1"], in: folder)
    let streams = StreamClient(port: next.port)
    try streams.open("/v1/reminders/1")
    #expect(streams.wait { $0[0].last?.json["status"] as? String == "completed" })
  }

  @Test("A file that is not a database is refused")
  func notADatabase() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("notes.txt")
    try String(repeating: "This is no database. ", count: 100).write(
      toFile: file, atomically: true, encoding: .utf8)
    let result = try MartletProcess.run(["serve", "--port", "0", "--database", file], in: folder)
    #expect(result.code == 1)
    #expect(result.errors.contains("not a database"))
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("This is no database."))
  }
}
