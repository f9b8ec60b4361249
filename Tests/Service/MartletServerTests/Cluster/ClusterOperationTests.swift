import Foundation
import MartletCluster
import TestSupport
import Testing

@testable import MartletServer

@Suite(
  "Operating three nodes", .serialized, .timeLimit(.minutes(10)),
  .enabled(if: hasLibrary, "libdqlite0 is not installed"))
struct ClusterOperationTests {
  @Test("Import and seed go to the primary, and a file that is wrong changes nothing")
  func transfers() throws {
    let cluster = try ThreeServers()
    defer { cluster.stop() }
    // From the machine of a replica.
    func run(_ command: [String]) throws -> ChildProcess.Result {
      try MartletProcess.run(
        command + ["--database", cluster.database(1), "--cluster-http", cluster.http(1)]
          + ["--cluster-secret-file", cluster.secret])
    }
    let seeded = try run(["seed", "--reminders", "1200", "--lists", "3"])
    #expect(seeded.output == "1200 reminders in 3 lists\n", "\(seeded.errors)")
    #expect(try cluster.client(2).get("/v1/stats").text.contains(#""all":1200"#))
    let file = cluster.folder.file("more.ics")
    let todo = "BEGIN:VTODO\nUID:a\nSUMMARY:from a file\nDUE:20261224T180000\nEND:VTODO\n"
    try Data("BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:a\n\(todo)END:VCALENDAR\n".utf8)
      .write(to: URL(filePath: file))
    let imported = try run(["import", file, "--time-zone", "Etc/GMT+5"])
    #expect(imported.output == "1 list, 0 tags, 1 reminder\n", "\(imported.errors)")
    let found = try cluster.client(0).get("/v1/reminders?q=from%20a%20file").text
    #expect(found.contains("from a file"), "\(found)")
    try Data(#"{"type":"list","id":1,"title":"x"}"#.utf8 + Data("\nno JSON\n".utf8))
      .write(to: URL(filePath: file + ".ndjson"))
    let wrong = try run(["import", file + ".ndjson"])
    #expect(
      wrong.code == 1 && wrong.errors.contains("Line 2")
        && wrong.errors.contains("Nothing was imported"), "\(wrong.errors)")
    let aimless = try MartletProcess.run(["seed", "--database", cluster.database(1)])
    #expect(aimless.code == 2 && aimless.errors.contains("--cluster-http"), "\(aimless.errors)")
  }

  @Test("A node whose file another program has changed is found, and gets a copy")
  func verify() throws {
    let cluster = try ThreeServers()
    defer { cluster.stop() }
    #expect(
      try cluster.client(1).post("/v1/reminders", #"{"listID":1,"title":"right"}"#).status == 201)
    let verify = ["cluster", "status", "--verify"] + cluster.control
    var found = try MartletProcess.run(verify)
    try cluster.wait("all three have the same") {
      found = try MartletProcess.run(verify)
      return found.output.components(separatedBy: "the same").count == 4
    }
    #expect(found.code == 0, "\(found.errors)")
    try cluster.kill(2)
    let alone = try MartletProcess.run(verify)
    #expect(alone.code == 1 && alone.output.contains("no answer"), "\(alone.output)")
    // A node that does not run cannot see it.
    _ = try MartletProcess.sqlite3(
      cluster.database(2), "UPDATE reminders SET title = 'wrong'", in: cluster.folder)
    try cluster.start(2)
    try cluster.wait("the difference is found") {
      found = try MartletProcess.run(verify)
      return found.output.contains("differs: ")
    }
    #expect(
      found.code == 1 && found.output.contains(" reminders")
        && found.errors.contains("cluster copy"), "\(found.output)")
    let line = try #require(found.output.split(separator: "\n").first { $0.contains("differs") })
    let id = String(try #require(line.split(separator: " ").first))
    let copied = try MartletProcess.run(["cluster", "copy", id] + cluster.control)
    #expect(copied.code == 0, "\(copied.errors)")
    try cluster.wait("it has a copy") { try MartletProcess.run(verify).code == 0 }
    #expect(try cluster.client(2).get("/v1/reminders/1").text.contains("right"))
    for (wanted, text) in [("1", "it is the primary"), ("9", "there is no node 9")] {
      let refused = try MartletProcess.run(["cluster", "copy", wanted] + cluster.control)
      #expect(refused.code == 1 && refused.errors.contains(text), "\(refused.errors)")
    }
  }

  @Test("Doctor asks the other nodes")
  func doctor() throws {
    let cluster = try ThreeServers()
    defer { cluster.stop() }
    func doctor(_ node: Int) throws -> ChildProcess.Result {
      try MartletProcess.run(["doctor"] + cluster.arguments(node))
    }
    try cluster.wait("all have reported") { try doctor(0).code == 0 }
    let well = try doctor(1)
    #expect(well.code == 0, "\(well.output)")
    for text in ["is on disk after", "is the primary", " answers after ", "MiB free for the log"] {
      #expect(well.output.contains(text), "\(text): \(well.output)")
    }
    try cluster.kill(2)
    let found = try doctor(0)
    #expect(
      found.code == 1 && found.output.contains("wrong    node")
        && found.output.contains("does not answer"), "\(found.output)")
  }

  @Test("The secret is replaced while all nodes run, and another one reaches nothing")
  func newSecret() throws {
    let cluster = try ThreeServers()
    defer { cluster.stop() }
    let (old, new) = (ClusterSecret.make(), ClusterSecret.make())
    func check(_ step: String) throws {
      for node in 0..<3 {
        let made = try cluster.client(node).post("/v1/lists", #"{"title":"\#(step)"}"#)
        #expect(made.status == 201, "\(step) \(node): \(made.text)")
      }
      #expect(try MartletProcess.run(["cluster", "status"] + cluster.control).code == 0)
    }
    let first = try String(contentsOfFile: cluster.secret, encoding: .utf8)
    for node in [1, 0, 2] {
      try cluster.setSecrets([new, first], of: node)
      try check("new on \(node)")
    }
    for node in [2, 1, 0] {
      try cluster.setSecrets([new], of: node)
      try check("old gone on \(node)")
    }
    try cluster.setSecrets([old], of: 1)
    let refused = try cluster.client(1).post("/v1/lists", #"{"title":"x"}"#)
    #expect(refused.status == 503 && refused.text.contains("no-quorum"), "\(refused.text)")
    try cluster.wait("the log says why") { cluster[1].log.contains("has another secret") }
    // Reads need the log only.
    #expect(try cluster.client(1).get("/v1/lists").status == 200)
  }

  @Test("A node that was taken out says so and ends; one without its old files has its place")
  func removed() throws {
    let cluster = try ThreeServers()
    defer { cluster.stop() }
    func line(of node: Int) throws -> [Substring] {
      let status = try MartletProcess.run(["cluster", "status"] + cluster.control).output
      return status.split(separator: "\n").first { $0.contains(cluster.http(node)) }?
        .split(separator: " ") ?? []
    }
    try cluster.wait("all have reported") { try line(of: 2).count > 5 }
    let id = String(try #require(try line(of: 2).first))
    #expect(try MartletProcess.run(["cluster", "remove", id] + cluster.control).code == 0)
    #expect(try cluster[2].wait(within: Deadline.hang).code == 0)
    #expect(cluster[2].log.contains("was taken out of the cluster"), "\(cluster[2].log)")
    let unknown = try MartletProcess.run(["cluster", "remove", id] + cluster.control)
    #expect(unknown.code == 1 && unknown.errors.contains("there is no node"), "\(unknown.errors)")
    try FileManager.default.removeItem(atPath: cluster.database(2))
    try FileManager.default.removeItem(atPath: cluster.database(2) + ".cluster")
    for end in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: cluster.database(2) + end)
    }
    try cluster.start(2)
    try cluster.wait("it joins") { cluster[2].log.contains("joined the cluster") }
    #expect(try cluster.client(2).post("/v1/lists", #"{"title":"x"}"#).status == 201)
    // A node whose disk is gone does not begin a second cluster, and says what to do.
    try cluster.kill(1)
    try FileManager.default.removeItem(atPath: cluster.database(1))
    try FileManager.default.removeItem(atPath: cluster.database(1) + ".cluster")
    let again = try MartletProcess.run(
      ["serve"] + cluster.arguments(1).filter { $0 != "--cluster-join" && $0 != cluster.http(0) }
        + ["--cluster-bootstrap"])
    #expect(
      again.code == 1 && again.errors.contains("nodes of an older cluster"), "\(again.errors)")
  }
}
