import Foundation
import TestSupport
import Testing

@testable import MartletServer

@Suite("martlet backup and restore") struct BackupTests {
  private func titles(_ database: String) throws -> [String] {
    try MartletProcess.sqlite3(
      database, "SELECT title FROM remindersLists ORDER BY id", in: TemporaryFolder()
    )
    .split(separator: "\n").map(String.init)
  }

  @Test("A backup during writes contains all earlier acknowledged writes, and can be restored")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let server = try MartletProcess(in: folder)
    let client = try RawClient(port: server.port)
    for number in 0..<20 { _ = try client.post("/v1/lists", #"{"title":"before \#(number)"}"#) }
    let writing = Writing(port: server.port)
    let backup = folder.file("copy.db")
    let result = try MartletProcess.run(
      ["backup", backup, "--database", server.database], in: folder)
    #expect(result.code == 0 && result.output.contains("checked"), "\(result.errors)")
    let written = try writing.end()
    #expect(written > 0)
    let copied = try titles(backup)
    #expect(copied.filter { $0.hasPrefix("before") }.count == 20)

    // Refused while the server is running, and over a database without --force.
    let restore = ["restore", backup, "--database", server.database]
    var refused = try MartletProcess.run(restore, in: folder)
    #expect(refused.code == 1 && refused.errors.contains("--force"))
    refused = try MartletProcess.run(restore + ["--force"], in: folder)
    #expect(refused.code == 1 && refused.errors.contains("stop the server first"))
    #expect(try client.get("/v1/lists").status == 200)
    try server.kill9()

    // The WAL of the killed server is not applied to the restored file.
    let restored = try MartletProcess.run(restore + ["--force"], in: folder)
    #expect(restored.code == 0, "\(restored.errors)")
    #expect(try titles(server.database) == copied)
    let again = try MartletProcess(in: folder)
    #expect(try RawClient(port: again.port).get("/v1/lists/2").text.contains("before 0"))
    _ = try again.stop()
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(left.filter { $0.contains("partial") } == [])
  }

  @Test("Links in a folder do not make root's other files the property of its owner")
  func links() throws {
    guard geteuid() == 0 else { return }
    let folder = try TemporaryFolder()
    let service = folder.file("service")
    try FileManager.default.createDirectory(atPath: service, withIntermediateDirectories: false)
    #expect(chown(service, 12345, 23456) == 0)
    for name in ["service/a.db", "secret", "other"] {
      try "x".write(toFile: folder.file(name), atomically: false, encoding: .utf8)
    }
    #expect(symlink(folder.file("secret"), "\(service)/a.db-wal") == 0)
    #expect(link(folder.file("other"), "\(service)/a.db-shm") == 0)
    DatabaseFile.giveToOwnerOfFolder("\(service)/a.db")
    func owner(_ path: String) -> uid_t {
      var status = stat()
      return stat(path, &status) == 0 ? status.st_uid : .max
    }
    #expect(owner("\(service)/a.db") == 12345)
    #expect(owner(folder.file("secret")) == 0 && owner(folder.file("other")) == 0)
  }

  @Test("--force is a flag only, and root gives a new file to the owner of its folder")
  func flagAndOwner() throws {
    let folder = try TemporaryFolder()
    #expect(try MartletProcess.run(["seed", "--database", "a.db"], in: folder).code == 0)
    #expect(try MartletProcess.run(["backup", "b.db", "--database", "a.db"], in: folder).code == 0)
    let restore = ["restore", "b.db", "--database", "a.db"]
    let result = try MartletProcess.run(restore, environment: ["MARTLET_FORCE": "1"], in: folder)
    #expect(result.code == 2 && result.errors.contains("--force must be given as a flag"))
    guard geteuid() == 0 else { return }
    let service = folder.file("service")
    try FileManager.default.createDirectory(
      atPath: service, withIntermediateDirectories: false)
    #expect(chown(service, 12345, 23456) == 0)
    for (name, command) in [
      ("r.db", ["restore", "b.db"]), ("m.db", ["migrate"]), ("s.db", ["seed"]),
    ] {
      let made = try MartletProcess.run(command + ["--database", "service/\(name)"], in: folder)
      #expect(made.code == 0, "\(made.errors)")
      var status = stat()
      #expect(stat("\(service)/\(name)", &status) == 0)
      #expect(status.st_uid == 12345 && status.st_gid == 23456, "\(name)")
    }
  }

  @Test("A restore reports valid keys, and those that were revoked after the backup")
  func revokedKeys() throws {
    let folder = try TemporaryFolder()
    func run(_ arguments: String...) throws -> ChildProcess.Result {
      let result = try MartletProcess.run(arguments + ["--database", "a.db"], in: folder)
      #expect(result.code == 0, "\(result)")
      return result
    }
    _ = try run("migrate")
    #expect(try run("backup", "none.db").code == 0)
    for name in ["mine", "lost"] {
      _ = try run("key", "create", "--name", name, "--scope", "admin")
    }
    _ = try MartletProcess.sqlite3(
      folder.file("a.db"),
      """
      INSERT INTO channels (kind, name, url, events, createdAt, keyID)
      VALUES (3, 'Phone', 'https://push.example/a', '[]', '2026-11-20 12:00:00.000', 2)
      """, in: folder)
    _ = try run("backup", "copy.db")
    _ = try run("key", "revoke", "2")
    let restored = try run("restore", "copy.db", "--force").output
    #expect(
      restored.contains("2 API keys are valid after the restore: martlet key list --database a.db"))
    #expect(
      restored.contains(
        "key 2 \"lost\" was revoked after the backup and is valid again, and 1 device rings by it: martlet key revoke 2 --database a.db"
      ))
    #expect(!restored.contains("key 1 "))
    #expect(try !run("restore", "none.db", "--force").output.contains("key"))
  }

  @Test("A backup with a code for pairing can be restored, and the code is not valid then")
  func pairingCode() throws {
    let folder = try TemporaryFolder()
    for arguments in [["migrate"], ["backup", "copy.db"], ["restore", "copy.db", "--force"]] {
      let result = try MartletProcess.run(arguments + ["--database", "a.db"], in: folder)
      #expect(result.code == 0, "\(result)")
      if arguments == ["migrate"] {
        _ = try MartletProcess.sqlite3(
          "a.db", "INSERT INTO pairingCodes VALUES (1, 's', 'h', 1, 'read', 4102444800)", in: folder
        )
      }
    }
    #expect(
      try MartletProcess.sqlite3("a.db", "SELECT count(*) FROM pairingCodes", in: folder) == "0\n")
  }

  @Test("A backup into a missing folder names the folder")
  func missingFolder() throws {
    let folder = try TemporaryFolder()
    _ = try MartletProcess.run(["migrate", "--database", "a.db"], in: folder)
    let result = try MartletProcess.run(["backup", "no/copy.db", "--database", "a.db"], in: folder)
    #expect(
      result.code == 1 && result.errors.contains("the folder no does not exist: create it first"))
    #expect(!result.errors.contains("partial"))
  }

  @Test(
    "A file that is not an intact backup is refused, and the database is unchanged",
    arguments: ["", "This is no database. ", "missing"])
  func damaged(content: String) throws {
    let folder = try TemporaryFolder()
    let server = try MartletProcess(in: folder)
    _ = try RawClient(port: server.port).post("/v1/lists", #"{"title":"kept"}"#)
    _ = try server.stop()
    let backup = folder.file("copy.db")
    if content != "missing" {
      try String(repeating: content, count: 1_000)
        .write(toFile: backup, atomically: true, encoding: .utf8)
    }
    let result = try MartletProcess.run(
      ["restore", backup, "--database", server.database, "--force"], in: folder)
    #expect(result.code == 1 && !result.errors.isEmpty, "\(result)")
    #expect(try titles(server.database).contains("kept"))
  }

  @Test("A folder is refused as a backup file")
  func folderForFile() throws {
    let folder = try TemporaryFolder()
    _ = try MartletProcess.run(["seed", "--database", "a.db"], in: folder)
    for command in ["backup", "restore"] {
      for name in [".", folder.path] {
        let result = try MartletProcess.run([command, name, "--database", "a.db"], in: folder)
        #expect(result.code == 1 && result.errors.contains("\(name) is a folder"), "\(result)")
        #expect(!result.errors.contains("a.db"))
      }
    }
  }

  @Test("A backup whose pages are damaged is refused")
  func damagedPages() throws {
    let folder = try TemporaryFolder()
    _ = try MartletProcess.run(["seed", "--database", "a.db", "--reminders", "2000"], in: folder)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("a.db")))
    for place in stride(from: 3 * 4096 + 8, to: 12 * 4096, by: 64) { bytes[place] ^= 0x5A }
    try bytes.write(to: URL(fileURLWithPath: folder.file("b.db")))
    let result = try MartletProcess.run(
      ["restore", "b.db", "--database", "c.db"], in: folder)
    #expect(
      result.code == 1 && result.errors.contains("damaged") || result.errors.contains("malformed"))
    #expect(!FileManager.default.fileExists(atPath: folder.file("c.db")))
  }

  @Test(
    "A backup needs a file name, which is not the database and lies in an existing folder"
  )
  func refused() throws {
    let folder = try TemporaryFolder()
    _ = try MartletProcess.run(["seed", "--database", "a.db"], in: folder)
    let before = try titles(folder.file("a.db"))
    func errors(_ arguments: [String]) throws -> String {
      let result = try MartletProcess.run(
        ["backup"] + arguments + ["--database", "a.db"], in: folder)
      #expect(result.code != 0)
      return result.errors
    }
    #expect(try errors(["a.db"]).contains("the database itself"))
    #expect(try errors([]).contains("FILE is missing"))
    #expect(try errors(["x.db", "y.db"]).contains("unexpected \"y.db\""))
    #expect(try errors(["nowhere/x.db"]).contains("nowhere"))
    #expect(try titles(folder.file("a.db")) == before)
  }

  @Test("Each refusal says what to do")
  func remedies() throws {
    let folder = try TemporaryFolder()
    func errors(_ arguments: String) throws -> String {
      let words = arguments.split(separator: " ").map(String.init)
      let result = try MartletProcess.run(words, in: folder)
      #expect(result.code == 1)
      return result.errors
    }
    #expect(
      try errors("backup b.db --database a.db")
        == "martlet: there is no database at a.db: name the file of the server with --database\n")
    #expect(
      try errors("restore b.db --database a.db")
        == "martlet: there is no backup at b.db: name an existing file\n")
    _ = try MartletProcess.run(["seed", "--database", "a.db"], in: folder)
    #expect(
      try errors("restore a.db --database a.db --force")
        == "martlet: a.db is the database itself: name a backup of it\n")
    #expect(
      try errors("export --database c.db")
        == """
        martlet: there is no database at c.db: name the file of the server with --database, or \
        create an empty one with martlet migrate --database c.db

        """)
  }

  @Test("A backup does not replace a file in use, and removes the WAL of a replaced file")
  func destinations() throws {
    let folder = try TemporaryFolder()
    _ = try MartletProcess.run(["seed", "--database", "a.db"], in: folder)
    let server = try MartletProcess(in: folder, name: "live.db")
    let client = try RawClient(port: server.port)
    _ = try client.post("/v1/lists", #"{"title":"kept"}"#)
    func backUp(_ source: String, _ file: String) throws -> ChildProcess.Result {
      try MartletProcess.run(["backup", file, "--database", source], in: folder)
    }
    let served = try backUp("a.db", "live.db")
    #expect(served.code == 1 && served.errors.contains("in use"), "\(served)")
    // Neither if SQLite cannot read its header.
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.file("live.db")))
    let head = try #require(try file.read(upToCount: 100))
    try file.seek(toOffset: 0)
    try file.write(contentsOf: Data(count: 100))
    let damaged = try backUp("a.db", "live.db")
    try file.seek(toOffset: 0)
    try file.write(contentsOf: head)
    try file.close()
    #expect(damaged.code == 1 && damaged.errors.contains("in use"), "\(damaged)")
    #expect(try client.get("/v1/lists").text.contains("kept"))
    try server.kill9()
    #expect(FileManager.default.fileExists(atPath: folder.file("live.db-wal")))
    #expect(try backUp("a.db", "live.db").code == 0)
    #expect(try titles(folder.file("live.db")) == titles(folder.file("a.db")))

    // A file that is not a Martlet database replaces nothing.
    try Data().write(to: URL(fileURLWithPath: folder.file("zero.db")))
    #expect(try backUp("zero.db", "live.db").errors.contains("none of its tables"))
    #expect(try titles(folder.file("live.db")) == titles(folder.file("a.db")))
  }

  @Test(
    "A backup is readable on read-only media, keeps the mode of its source, and follows links"
  )
  func files() throws {
    let folder = try TemporaryFolder()
    let manager = FileManager.default
    _ = try MartletProcess.run(["seed", "--database", "a.db"], in: folder)
    try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.file("a.db"))
    #expect(try MartletProcess.run(["backup", "b.db", "--database", "a.db"], in: folder).code == 0)
    func mode(_ name: String) throws -> Int? {
      try manager.attributesOfItem(atPath: folder.file(name))[.posixPermissions] as? Int
    }
    #expect(try mode("b.db") == 0o640)
    try manager.setAttributes([.posixPermissions: 0o400], ofItemAtPath: folder.file("b.db"))
    try manager.createDirectory(atPath: folder.file("volume"), withIntermediateDirectories: false)
    try manager.moveItem(atPath: folder.file("a.db"), toPath: folder.file("volume/a.db"))
    try manager.createSymbolicLink(
      atPath: folder.file("a.db"), withDestinationPath: folder.file("volume/a.db"))
    let before = try titles(folder.file("a.db"))
    let restored = try MartletProcess.run(
      ["restore", "b.db", "--database", "a.db", "--force"], in: folder)
    #expect(restored.code == 0, "\(restored)")
    #expect(
      try manager.destinationOfSymbolicLink(atPath: folder.file("a.db")).hasSuffix("volume/a.db"))
    #expect(try mode("volume/a.db") == 0o640, "the mode of the replaced file")
    #expect(try titles(folder.file("volume/a.db")) == before)
    let left = try manager.contentsOfDirectory(atPath: folder.path)
    #expect(left.filter { $0.hasPrefix("b.db") } == ["b.db"], "no WAL beside the backup")
  }

  @Test("Rotation deletes only backups of the same database")
  func rotation() throws {
    let folder = try TemporaryFolder()
    let others = ["martlet-2026.db", "martlet-2-notes.db", "other-20260101T000000Z.db"]
    for other in others { try Data().write(to: URL(fileURLWithPath: folder.file(other))) }
    let leftover = folder.file("martlet-20260101T000000Z.db.1.partial-wal")
    try Data().write(to: URL(fileURLWithPath: leftover))
    let server = try MartletProcess(
      ["--backup-dir", folder.path, "--backup-every", "1s", "--backup-keep", "1"], in: folder)
    let deadline = ContinuousClock.now + .seconds(20)
    var seen: Set<String> = []
    while seen.count < 3, ContinuousClock.now < deadline {
      seen.formUnion(
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
          $0.wholeMatch(of: #/martlet-\d{8}T\d{6}Z\.db/#) != nil
        })
      usleep(10_000)
    }
    #expect(seen.count >= 3)
    for other in others { #expect(FileManager.default.fileExists(atPath: folder.file(other))) }
    #expect(!FileManager.default.fileExists(atPath: leftover))
    #expect(FileManager.default.fileExists(atPath: server.database))
    _ = try server.stop()
  }

  @Test("With --backup-dir the server makes backups, keeps the newest, and reports their age")
  func schedule() throws {
    let folder = try TemporaryFolder()
    let server = try MartletProcess(
      ["--backup-dir", folder.file("backups"), "--backup-every", "1s", "--backup-keep", "2"],
      in: folder)
    let client = try RawClient(port: server.port)
    func names() throws -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: folder.file("backups"))) ?? [])
        .filter { $0.hasSuffix(".db") }.sorted()
    }
    var seen: Set<String> = []
    let deadline = ContinuousClock.now + .seconds(20)
    while seen.count < 4, ContinuousClock.now < deadline {
      seen.formUnion(try names())
      usleep(10_000)
    }
    #expect(seen.count >= 4)
    #expect(try names().count <= 3)
    let metrics = try client.get("/metrics").text
    #expect(metrics.contains("\nmartlet_backup_age_seconds "))
    #expect(metrics.contains("\nmartlet_backup_interval_seconds 1\n"))
    #expect(metrics.contains("\nmartlet_backup_failures_total 0\n"))
    let last = try #require(try names().last)
    #expect(try !titles(folder.file("backups/\(last)")).isEmpty)
    _ = try server.stop()
  }
}

/// A client that writes until `end()` is called.
private final class Writing: @unchecked Sendable {
  // All state is protected by the lock.
  private let lock = NSLock()
  private var mayGoOn = true
  private var count = 0
  private let ended = DispatchSemaphore(value: 0)

  init(port: UInt16) {
    let began = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [self] in
      if let client = try? RawClient(port: port) {
        while lock.withLock({ mayGoOn }) {
          guard let answer = try? client.post("/v1/lists", #"{"title":"during"}"#),
            answer.status == 201
          else { break }
          lock.withLock { count += 1 }
          began.signal()
        }
      }
      began.signal()
      ended.signal()
    }
    began.wait()
  }

  /// Stops and returns the number of acknowledged writes.
  func end() throws -> Int {
    lock.withLock { mayGoOn = false }
    ended.wait()
    return lock.withLock { count }
  }
}
