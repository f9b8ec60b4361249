import Foundation
import MartletSQLite
import MartletStore
import TestSupport
import Testing

@testable import MartletServer

extension ProcessTests {
  @Suite struct ShutdownTests {
    @Test(
      "A signal shuts down gracefully: requests finish, streams end with bye (item 43)",
      arguments: [SIGTERM, SIGINT, SIGHUP])
    func graceful(signal: Int32) throws {
      let server = try MartletProcess()
      let body = #"{"listID": 1, "title": "in flight"}"#
      let request = RawClient.head("POST", "/v1/reminders", body: body) + body
      let half = try RawClient(port: server.port)
      try half.send(String(request.dropLast(10)))
      let idle = try RawClient(port: server.port)
      #expect(try idle.get("/livez").status == 200)
      let streams = StreamClient(port: server.port)
      try streams.open("/v1/stats")
      try streams.open("/v1/lists/1")
      #expect(streams.wait { $0.allSatisfy { $0.events.count == 1 } })

      server.signal(signal)

      #expect(streams.wait { $0.allSatisfy(\.hasEnded) })
      for stream in streams.streams {
        #expect(stream.events.map(\.event) == ["result", "bye"])
        #expect(stream.last?.json["reason"] as? String == "shutdown")
        #expect(stream.last?.json["retry"] as? Int == stream.last?.retry)
        #expect((1...60_000).contains(stream.last?.retry ?? 0))
      }
      #expect(try idle.receiveAll().isEmpty, "an idle connection is closed without a response")
      // The server has received the signal. Only now the rest of the request is sent.
      try half.send(String(request.suffix(10)))
      let answer = try half.response()
      #expect(answer.status == 201)
      #expect(answer["Connection"] == "close")

      let end = try server.wait()
      #expect(end.code == 0)
      #expect(end.errors.contains("stopped"))
      try checkLeftovers(of: server)
      let next = try MartletProcess(in: server.folder, port: server.port)
      #expect(next.port == server.port, "the port is free again")
      #expect(try RawClient(port: next.port).get("/v1/reminders").items.count == 1)
      #expect(try next.stop().code == 0)
    }

    /// Checks that the database file is complete without its WAL.
    private func checkLeftovers(of server: MartletProcess) throws {
      let log = server.database + "-wal"
      let size = try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
      #expect((size ?? 0) == 0, "the WAL is not empty")
      let copy = server.folder.file("copy.db")
      try FileManager.default.copyItem(atPath: server.database, toPath: copy)
      let titles = try MartletProcess.sqlite3(
        copy, "SELECT title FROM reminders", in: server.folder)
      #expect(titles == "in flight\n")
    }

    @Test("A signal immediately after the greeting is handled")
    func atOnce() throws {
      for _ in 0..<10 {
        let end = try MartletProcess().stop()
        #expect(end.code == 0)
        #expect(end.errors.contains("stopped"))
      }
    }

    @Test("A signal that was ignored at the start stays ignored")
    func ignored() throws {
      let folder = try TemporaryFolder()
      let process = try ChildProcess(
        "/bin/sh",
        [
          "-c", "trap '' HUP; exec \"$0\" serve --port 0 --database ignored.db",
          MartletProcess.executable,
        ],
        folder: folder)
      _ = try process.line()
      process.signal(SIGHUP)
      process.signal(SIGTERM)
      let end = try process.wait()
      #expect(end.code == 0)
      #expect(!end.errors.contains("stopping at once"), "SIGTERM was the first one")
    }

    @Test("A second signal stops without waiting for requests (item 43)")
    func second() throws {
      let server = try MartletProcess()
      let half = try RawClient(port: server.port)
      try half.send("POST /v1/lists HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
      let streams = StreamClient(port: server.port)
      try streams.open("/v1/lists")
      #expect(streams.wait { $0[0].events.count == 1 })
      server.signal(SIGTERM)
      #expect(streams.wait { $0[0].last?.event == "bye" })
      server.signal(SIGINT)
      let end = try server.wait(within: 5)
      #expect(end.code == 0)
      #expect(end.errors.contains("stopping at once"))
      #expect(try half.receiveAll().isEmpty)
    }

    /// Namespaces need root.
    private static let mayUnshare = geteuid() == 0 && access("/usr/bin/unshare", X_OK) == 0

    @Test("As process 1 of a container a command ends at SIGTERM", .enabled(if: mayUnshare))
    func processOne() throws {
      let folder = try TemporaryFolder(), pipe = folder.file("pipe")
      #expect(mkfifo(pipe, 0o600) == 0)
      // Reads a pipe that has no writer.
      let command = [MartletProcess.executable, "import", pipe, "--database", folder.file("a.db")]
      let unshare = try ChildProcess(
        "/usr/bin/unshare", ["--pid", "--fork", "--mount-proc", "--kill-child"] + command,
        folder: folder)
      let children = "/proc/\(unshare.pid)/task/\(unshare.pid)/children"
      // The kernel drops the signals that come before the handler is there.
      var hasBegun = false
      for _ in 0..<60_000 {
        let text = (try? String(contentsOfFile: children, encoding: .utf8)) ?? ""
        if let id = pid_t(text.prefix { $0 != " " }) {
          hasBegun = true
          kill(id, SIGTERM)
        } else if hasBegun {
          break
        }
        usleep(1_000)
      }
      #expect(try unshare.wait(within: 5).code == 128 + SIGTERM)
    }
  }
}

@Suite("A deleted database file") struct LostFileTests {
  @Test("The deletion is logged, and the server exits with 74")
  func deleted() throws {
    let server = try MartletProcess()
    let client = try RawClient(port: server.port)
    #expect(try client.post("/v1/lists", #"{"title":"kept"}"#).status == 201)
    try FileManager.default.removeItem(atPath: server.database)
    let end = try server.wait()
    #expect(end.code == 74)
    #expect(server.log.contains("deleted or replaced") && server.log.contains(server.database))
    // The server does not create a new file. Restoring the old one is up to the operator.
    #expect(!FileManager.default.fileExists(atPath: server.database))
  }
}

@Suite("Work that a stop interrupts") struct StoppedWorkTests {
  @Test("A clean stop is no error of the work that it refuses, but everything else is")
  func isGivenUp() {
    #expect(PrimaryWork.isGivenUp(WriteError.stopped))
    #expect(PrimaryWork.isGivenUp(WriteError.notPrimary))
    let full = SQLiteError(code: 13, message: "full")
    for error in [WriteError.storageFull(full), .outcomeUnknown(full), .overTime(limit: .zero)] {
      #expect(!PrimaryWork.isGivenUp(error))
    }
    #expect(!PrimaryWork.isGivenUp(full))
  }
}
