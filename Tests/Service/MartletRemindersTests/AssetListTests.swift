import Foundation
import TestSupport
import Testing

/// Runs `scripts/assets` on a copy of the folders.
@Suite("The list of embedded files") struct AssetListTests {
  private let folder: TemporaryFolder
  private static let list = "Sources/System/CMartletAssets/assets.c"
  private static let sources = [
    "scripts/assets", "Migrations", "Pages", "App", "openapi.yaml", "docs/problems.md", list,
  ]

  init() throws {
    folder = try TemporaryFolder()
    let files = FileManager.default
    for name in Self.sources {
      let target = URL(fileURLWithPath: folder.file(name))
      try files.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try files.copyItem(atPath: Repository.root + "/" + name, toPath: target.path)
    }
  }

  private func run(_ arguments: [String] = []) throws -> ChildProcess.Result {
    try ChildProcess(
      "/usr/bin/python3", [folder.file("scripts/assets")] + arguments, folder: folder
    ).wait()
  }

  private func write(_ name: String) throws {
    try "SELECT 1;\n".write(toFile: folder.file(name), atomically: true, encoding: .utf8)
  }

  private func list() throws -> String {
    try String(contentsOfFile: folder.file(Self.list), encoding: .utf8)
  }

  @Test("The list in the repository is the script's output")
  func fresh() throws {
    let checked = try run(["--check"])
    #expect(checked.code == 0 && checked.errors == "", "\(checked)")
    let before = try list()
    #expect(try run().code == 0)
    #expect(try list() == before)
  }

  @Test(
    "A new migration or page fails the check, which names the file and the command that lists it",
    arguments: ["Migrations/9999_new.sql", "Pages/help.html", "Pages/img/logo.svg"])
  func new(name: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("Pages/img"), withIntermediateDirectories: true)
    try write(name)
    let before = try list()
    let stale = try run(["--check"])
    #expect(stale.code == 1)
    #expect(stale.errors == "\(Self.list):1: lacks \(name): run make assets\n")
    #expect(try list() == before, "a check writes nothing")
    #expect(try run().code == 0)
    #expect(try list().contains("#embed \"../../../\(name)\"\n"))
    #expect(try list().contains("{\"\(name)\", "))
    #expect(try run(["--check"]).code == 0)
    try FileManager.default.removeItem(atPath: folder.file(name))
    let gone = try run(["--check"])
    #expect(gone.code == 1 && gone.errors.contains("lists \(name), which does not exist"))
  }

  @Test("Editing the list by hand fails the check")
  func edited() throws {
    let text = try list()
    for other in [text + "\n", text.replacing("sizeof openapi_yaml", with: "3"), ""] {
      try other.write(toFile: folder.file(Self.list), atomically: true, encoding: .utf8)
      let stale = try run(["--check"])
      #expect(stale.code == 1 && stale.errors.contains("run make assets"), "\(stale)")
    }
  }

  @Test("Backup files of editors and files that are not migrations are not embedded")
  func others() throws {
    for name in ["Pages/.try.html.swp", "Pages/try.html~", "Migrations/notes.txt"] {
      try write(name)
    }
    #expect(try run(["--check"]).code == 0)
  }

  @Test("A name that is not valid in C and a missing file are refused")
  func refused() throws {
    try write("Pages/a\"b.html")
    #expect(try run().errors.contains("Pages/a\"b.html: use only letters"))
    try FileManager.default.removeItem(atPath: folder.file("Pages/a\"b.html"))
    try write("Pages/try-js")
    #expect(try run().errors.contains("Pages/try-js and Pages/try.js map to the same C variable"))
    try FileManager.default.removeItem(atPath: folder.file("Pages/try-js"))
    try FileManager.default.removeItem(atPath: folder.file("openapi.yaml"))
    #expect(try run().errors.contains("no file matches openapi.yaml"))
  }
}
