import Foundation
import MartletSQLite
import TestSupport
import Testing

extension ProcessTests {
  /// The example service `Examples/blog`.
  @Suite struct BlogTests {
    private let executable =
      URL(fileURLWithPath: MartletProcess.executable).deletingLastPathComponent().path + "/blog"

    private func start(_ folder: TemporaryFolder) throws -> (ChildProcess, UInt16) {
      let process = try ChildProcess(executable, [folder.file("blog.db"), "0"], folder: folder)
      let line = try #require(try process.line())
      let port = try #require(line.split(separator: ":").last.flatMap { UInt16($0) }, "\(line)")
      return (process, port)
    }

    @Test func usersAndPosts() throws {
      let folder = try TemporaryFolder()
      let (process, port) = try start(folder)
      defer { process.signal(SIGKILL) }
      let client = try RawClient(port: port)
      let streams = StreamClient(port: port)
      try streams.open("/live?users=/users%3Factive=true&posts=/posts")
      let first = try #require(streams.event(after: 0))
      #expect(first.data.contains(#""posts":{"items":[]"#) || first.data.contains(#""items":[]"#))

      let ada = try client.post("/users", #"{"name": "Ada", "email": "ada@example.org"}"#)
      #expect(ada.status == 201 && ada.text.contains(#""name":"Ada","active":true"#), "\(ada.text)")
      #expect(try client.post("/users/1/posts", #"{"title": "Notes"}"#).status == 204)
      #expect(try client.get("/users/1").text.contains(#""posts":0"#))
      #expect(try client.post("/users/1/publish", "").status == 204)
      #expect(try client.get("/users/1").text.contains(#""posts":1"#))
      let posts = try client.get("/posts?user=1").text
      #expect(
        posts.contains(#""title":"Notes""#) && posts.contains(#""author":{"id":1,"name":"Ada"}"#))
      #expect(
        try client.get("/statistics").text == #"{"users":1,"activeUsers":1,"publishedPosts":1}"#)
      #expect(
        streams.wait { $0[0].last?.data.contains(#""title":"Notes""#) == true },
        "the published post did not reach the stream: \(streams.streams[0].events)")

      // All mistakes are reported, and two users cannot have the same address.
      let wrong = try client.post("/users", #"{"name": ""}"#)
      #expect(wrong.status == 422 && wrong.text.contains("/email"), "\(wrong.text)")
      let taken = try client.post("/users", #"{"name": "A", "email": "ada@example.org"}"#)
      #expect(taken.status == 409 && taken.text.contains("belongs to another user"))
      let type = try #require(taken.json["type"] as? String)
      let page = try client.get(type).text
      #expect(page.contains("409 Email taken") && page.contains("Another user has this address"))
      #expect(try client.post("/users/9/posts", #"{"title": "x"}"#).status == 404)
    }

    @Test("It shuts down gracefully, and reports why it cannot start")
    func ends() throws {
      let folder = try TemporaryFolder()
      let (process, port) = try start(folder)
      let streams = StreamClient(port: port)
      try streams.open("/posts")
      _ = streams.event(after: 0)
      let second = try ChildProcess(
        executable, [folder.file("other.db"), "\(port)"], folder: folder
      ).wait()
      #expect(second.code == 1 && second.errors.hasPrefix("blog: cannot listen on"), "\(second)")
      process.signal(SIGTERM)
      #expect(streams.wait { $0[0].events.last?.event == "bye" })
      let end = try process.wait()
      #expect(end.code == 0)
    }

    @Test("Errors are written to standard error by default")
    func faults() throws {
      let folder = try TemporaryFolder()
      let (process, port) = try start(folder)
      defer { process.signal(SIGKILL) }
      let client = try RawClient(port: port)
      #expect(process.errors == "")
      try Connection(location: .file(folder.file("blog.db"))).execute("DROP TABLE posts")
      let failed = try client.get("/posts", [("X-Request-ID", "mine")])
      #expect(failed.status == 500 && !failed.text.contains("posts:"), "\(failed.text)")
      #expect(process.errors.contains("request mine failed (internal): no such table: posts"))
    }

    @Test func pages() throws {
      let folder = try TemporaryFolder()
      let (process, port) = try start(folder)
      defer { process.signal(SIGKILL) }
      let client = try RawClient(port: port)
      for number in 1...7 {
        // Some names are equal, so that the ID must order them.
        let body = #"{"name": "N\#(number / 2)", "email": "\#(number)@example.org"}"#
        #expect(try client.post("/users", body).status == 201)
        #expect(try client.post("/users/\(number)/posts", #"{"title": "T"}"#).status == 204)
        #expect(try client.post("/users/\(number)/publish", "").status == 204)
      }
      for (list, other) in [("/users", "/users?active=true"), ("/posts", "/posts?user=1")] {
        let all = try client.get(list).items.compactMap { $0["id"] as? Int }
        #expect(all.count == 7 && Set(all).count == 7)
        var paged: [Int] = []
        var cursor: String?
        repeat {
          let page = try client.get("\(list)?limit=2" + (cursor.map { "&cursor=\($0)" } ?? ""))
          #expect(page.status == 200, "\(page.text)")
          paged += page.items.compactMap { $0["id"] as? Int }
          cursor = page.json["nextCursor"] as? String
          if let cursor {
            let foreign = try client.get(other + "&cursor=\(cursor)")
            #expect(foreign.status == 400 && foreign.problem == "invalid-cursor")
          }
        } while cursor != nil && paged.count < 20
        #expect(paged == all, "\(list)")
      }
    }

    /// The first requests of a new process, eight at once.
    ///
    /// All event loops print queries, prepare statements and initialize constants at the same time,
    /// and the responses equal those to a single client.
    @Test func coldStarts() throws {
      let folder = try TemporaryFolder()
      let targets = [
        "/users", "/posts", "/users/1", "/statistics", "/users?active=true&limit=2",
        "/posts?user=1&limit=1",
      ]
      var expected: [String: String] = [:]
      do {
        let (process, port) = try start(folder)
        defer { process.signal(SIGKILL) }
        let client = try RawClient(port: port)
        for number in 1...3 {
          let body = #"{"name": "N\#(number)", "email": "\#(number)@example.org"}"#
          #expect(try client.post("/users", body).status == 201)
          #expect(try client.post("/users/\(number)/posts", #"{"title": "T"}"#).status == 204)
          #expect(try client.post("/users/\(number)/publish", "").status == 204)
        }
        for target in targets { expected[target] = try client.get(target).text }
        #expect(expected["/users/1"]?.hasPrefix(#"{"id":1,"name":"N1","#) == true)
      }
      for round in 0..<8 {
        let (process, port) = try start(folder)
        defer { process.signal(SIGKILL) }
        let clients = try (0..<8).map { _ in try RawClient(port: port) }
        for turn in targets.indices {
          // All requests are sent before a response is read, and each target to both event loops.
          let asked = clients.indices.map { targets[($0 / 2 + round + turn) % targets.count] }
          for (client, target) in zip(clients, asked) {
            try client.send(RawClient.head("GET", target))
          }
          for (client, target) in zip(clients, asked) {
            #expect(try client.response().text == expected[target], "start \(round), \(target)")
          }
        }
      }
    }

    @Test("A signal immediately after the greeting is handled")
    func atOnce() throws {
      let folder = try TemporaryFolder()
      for _ in 0..<10 {
        let (process, _) = try start(folder)
        process.signal(SIGTERM)
        #expect(try process.wait().code == 0)
      }
    }

    /// The program does not start with a file that has different tables.
    @Test func otherTables() throws {
      let folder = try TemporaryFolder()
      let (process, _) = try start(folder)
      process.signal(SIGTERM)
      _ = try process.wait()
      _ = try MartletProcess.sqlite3(
        folder.file("blog.db"), "ALTER TABLE posts RENAME COLUMN text TO body;", in: folder)
      let executable =
        URL(fileURLWithPath: MartletProcess.executable)
        .deletingLastPathComponent().path + "/blog"
      let result = try ChildProcess(executable, [folder.file("blog.db"), "0"], folder: folder)
        .wait()
      #expect(result.code != 0 && result.errors.contains("posts has no column text"))
    }
  }
}
