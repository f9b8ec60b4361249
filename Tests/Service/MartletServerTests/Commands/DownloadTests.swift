import Foundation
import TestSupport
import Testing

@testable import MartletServer

/// Exports that are too large to be sent in one piece.
@Suite("A large export over HTTP") struct DownloadTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let file = try DownloadTests.made.get().file("martlet.db")
    try FileManager.default.copyItem(atPath: file, toPath: folder.file("martlet.db"))
  }

  /// A database with 13 MB of notes, each a single word, so that indexing them is fast.
  private static let made = Result {
    let folder = try TemporaryFolder()
    let random = try #require(FileHandle(forReadingAtPath: "/dev/urandom"))
    var lines = #"{"type":"list","id":1,"title":"Large"}"# + "\n"
    for number in 1...1_500 {
      let bytes = try #require(try random.read(upToCount: 6_750))
      let notes = bytes.base64EncodedString().replacingOccurrences(of: "+", with: "0")
        .replacingOccurrences(of: "/", with: "1")
      lines +=
        #"{"type":"reminder","id":\#(number),"listID":1,"title":"\#(number)","notes":"\#(notes)"}"#
        + "\n"
    }
    try lines.write(toFile: folder.file("in.ndjson"), atomically: true, encoding: .utf8)
    let arguments = ["import", folder.file("in.ndjson"), "--database", folder.file("martlet.db")]
    let made = try MartletProcess.run(arguments)
    try #require(made.code == 0, "\(made.errors)")
    return folder
  }

  /// The export as received by `curl`.
  private func curl(_ arguments: [String], of server: MartletProcess) throws -> Data {
    let file = folder.file("out")
    let result = try ChildProcess(
      "/usr/bin/curl", ["-sS", "--fail", "-o", file] + arguments + [server.url + "/v1/export"],
      folder: folder
    ).wait(within: Deadline.hang)
    try #require(result.code == 0, "\(result.errors)")
    return FileManager.default.contents(atPath: file) ?? Data()
  }

  private func whole() throws -> Data {
    let result = try MartletProcess.run(["export", "--database", folder.file("martlet.db")])
    return Data(result.output.utf8)
  }

  @Test("curl receives all of it, also compressed and over HTTP/1.0, in constant memory")
  func curl() throws {
    let server = try MartletProcess(in: folder)
    let whole = try whole()
    #expect(whole.count > 12_000_000)
    let before = try server.memory
    for arguments in [[], ["--compressed"], ["--http1.0"], ["-H", "Accept-Encoding: gzip;q=0"]] {
      #expect(try curl(arguments, of: server) == whole, "\(arguments)")
    }
    let compressed = try curl(["-H", "Accept-Encoding: gzip"], of: server)
    #expect(compressed.prefix(2) == Data([0x1F, 0x8B]) && compressed.count < whole.count * 9 / 10)
    // Less than one export; the caches of the server grow, too.
    #expect(try server.memory - before < 8_000_000)
  }

  @Test(
    "A client that does not read blocks neither other exports nor WAL checkpoints")
  func slow() throws {
    let server = try MartletInProcess(in: folder) { $0.api.downloads = 2 }
    let slow = try RawClient(port: server.port, timeout: 60)
    try slow.send(RawClient.head("GET", "/v1/export"))
    let head = try slow.responseHead()
    #expect(head.status == 200)
    let client = try RawClient(port: server.port, timeout: 60)
    var answer = try client.get("/v1/export")
    // Waits until the first export is written.
    while answer.status == 503 { answer = try client.get("/v1/export") }
    #expect(answer.status == 200)
    // No read transaction is open, so the WAL is reset and does not grow.
    let writer = try RawClient(port: server.port)
    let log = server.database + "-wal"
    func logSize() throws -> Int {
      try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int ?? 0
    }
    let notes = String(repeating: "x", count: 9_000)
    for _ in 0..<700 {
      let body = #"{"listID":2,"title":"t","notes":"\#(notes)"}"#
      #expect(try writer.post("/v1/reminders", body).status == 201)
    }
    #expect(try logSize() < 16_000_000)
    // With the maximum number of stored exports, a further one is refused.
    let second = try RawClient(port: server.port, timeout: 60)
    try second.send(RawClient.head("GET", "/v1/export"))
    let secondHead = try second.responseHead()
    #expect(secondHead.status == 200)
    let third = try client.get("/v1/export")
    #expect(third.status == 503 && third.problem == "overloaded")
    // The slow clients still receive their exports.
    #expect(try slow.body(of: head).count > 12_000_000)
    #expect(try second.body(of: secondHead).count > 12_000_000)
    while try client.request("HEAD", "/v1/export").status == 503 {}
    // No files are left in the folder of the database.
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.contains { $0.hasPrefix(".download") })
  }

  @Test("An export is aborted when its client disconnects")
  func gone() throws {
    let server = try MartletInProcess(in: folder) { $0.api.downloads = 2 }
    do {
      let client = try RawClient(port: server.port)
      try client.send(RawClient.head("GET", "/v1/export"))
    }
    // The slot for exports is free again.
    let client = try RawClient(port: server.port, timeout: 60)
    while try client.request("HEAD", "/v1/export").status == 503 {}
    #expect(try client.get("/livez").status == 200)
  }
}
