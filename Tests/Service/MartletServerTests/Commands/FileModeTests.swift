import Foundation
import TestSupport
import Testing

/// Created files are accessible only to the user, whatever the umask.
@Suite struct FileModeTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: folder.file(name))[.posixPermissions] as? Int
  }

  @Test("The database, its WAL, backups and folders")
  func files() throws {
    let server = try MartletProcess(
      ["--backup-dir", "made/backups", "--first-key"], in: folder, name: "made/here/a.db")
    for name in ["made", "made/here"] { #expect(try mode(name) == 0o700, "\(name)") }
    for name in ["a.db", "a.db-wal", "a.db-shm"] {
      #expect(try mode("made/here/\(name)") == 0o600, "\(name)")
    }
    #expect(try mode("made/backups") == 0o700)
    let backup = try MartletProcess.run(
      ["backup", "copy.db", "--database", "made/here/a.db"], in: folder)
    #expect(backup.code == 0, "\(backup)")
    #expect(try mode("copy.db") == 0o600)
    _ = try server.stop()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.file("made/backups")) {
      #expect(try mode("made/backups/\(name)") == 0o600, "\(name)")
    }
    let restored = try MartletProcess.run(
      ["restore", "copy.db", "--database", "other/b.db"], in: folder)
    #expect(restored.code == 0, "\(restored)")
    #expect(try mode("other") == 0o700)
    #expect(try mode("other/b.db") == 0o600)
  }

  @Test("A database created by any command", arguments: ["migrate", "seed", "import"])
  func commands(_ command: String) throws {
    try Data(#"{"type":"tag","title":"car"}"#.utf8)
      .write(to: URL(fileURLWithPath: folder.file("one.ndjson")))
    let operands = command == "import" ? ["one.ndjson"] : []
    let made = try MartletProcess.run(
      [command] + operands + ["--database", "new/a.db"], in: folder)
    #expect(made.code == 0, "\(made.errors)")
    #expect(try mode("new") == 0o700)
    #expect(try mode("new/a.db") == 0o600)
  }

  @Test("An existing database keeps its mode, and doctor warns if other users can read it")
  func old() throws {
    _ = try MartletProcess.run(["migrate", "--database", "a.db"], in: folder)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: folder.file("a.db"))
    let server = try MartletProcess(in: folder, name: "a.db")
    #expect(try mode("a.db") == 0o644)
    let doctor = try MartletProcess.run(
      ["doctor", "--database", "a.db", "--port", "0"], in: folder)
    #expect(doctor.code == 0)
    #expect(
      doctor.output.contains(
        "warning  every user of the machine can read a.db a.db-wal a.db-shm: chmod 600 a.db"),
      "\(doctor)")
    _ = try server.stop()
    _ = try MartletProcess.run(["backup", "copy.db", "--database", "a.db"], in: folder)
    #expect(try mode("copy.db") == 0o600)
  }

  @Test("Documentation that writes a secret to a file makes it readable only to its owner")
  func pages() throws {
    var written = 0
    for page in ["README.md"] + (try Repository.pages()) {
      var isKept = false
      for line in try Repository.text(page).split(separator: "\n") {
        if line.contains("umask 077") || line.contains("install -m 600") { isKept = true }
        guard line.contains(/(key create|live\/sessions).* > [\w\/.]+$/) else { continue }
        written += 1
        #expect(isKept, "\(page): \(line)")
      }
    }
    #expect(written >= 4)
  }
}
