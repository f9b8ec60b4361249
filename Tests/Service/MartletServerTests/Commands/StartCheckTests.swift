import Foundation
import MartletSQLite
import TestSupport
import Testing

/// `doctor` and `config` predict whether `serve` starts with the same flags.
@Suite("doctor, config and serve agree") struct StartCheckTests {
  /// Files and flags for a start.
  struct Situation: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Flags in addition to a database `a.db` and a free port.
    var arguments: [String] = []
    /// Whether the database exists.
    var migrates = true
    /// A part of the error of `serve`; `nil` if it starts.
    var refusal: String?
    /// Prepares the files. The returned object is kept alive while the commands run.
    var prepare: @Sendable (TemporaryFolder) throws -> AnyObject? = { _ in nil }

    static func sql(_ text: String) -> @Sendable (TemporaryFolder) throws -> AnyObject? {
      {
        _ = try MartletProcess.sqlite3($0.file("a.db"), text, in: $0)
        return nil
      }
    }

    static func file(_ name: String) -> @Sendable (TemporaryFolder) throws -> AnyObject? {
      {
        try String(repeating: "Not a database. ", count: 500).write(
          toFile: $0.file(name), atomically: true, encoding: .utf8)
        return nil
      }
    }

    static func folder(_ name: String) -> @Sendable (TemporaryFolder) throws -> AnyObject? {
      {
        try FileManager.default.createDirectory(
          atPath: $0.file(name), withIntermediateDirectories: true)
        return nil
      }
    }
  }

  static let addresses = [
    Situation(testDescription: "a new database", migrates: false),
    Situation(testDescription: "a database"),
    Situation(
      testDescription: "beyond loopback, no database", arguments: ["--host", "0.0.0.0"],
      migrates: false, refusal: "there are no API keys"),
    Situation(
      testDescription: "beyond loopback, no key", arguments: ["--host", "::"],
      refusal: "there are no API keys"),
    Situation(
      testDescription: "beyond loopback, no key yet",
      arguments: ["--host", "0.0.0.0", "--first-key"]),
    Situation(
      testDescription: "beyond loopback, open", arguments: ["--host", "0.0.0.0", "--allow-no-keys"]),
    Situation(
      testDescription: "beyond loopback, a key", arguments: ["--host", "0.0.0.0"],
      prepare: {
        let key = ["key", "create", "--name", "a", "--scope", "read", "--database", "a.db"]
        try #require(MartletProcess.run(key, in: $0).code == 0)
        return nil
      }),
    Situation(
      testDescription: "an address of another machine",
      arguments: ["--host", "192.0.2.1", "--allow-no-keys"], refusal: "--host must be an address"),
  ]

  static let folders = [
    Situation(
      testDescription: "the backup folder is a file", arguments: ["--backup-dir", "taken"],
      refusal: "taken is not a folder", prepare: Situation.file("taken")),
    Situation(
      testDescription: "the backup folder below a file", arguments: ["--backup-dir", "taken/b/c"],
      refusal: "taken", prepare: Situation.file("taken")),
    Situation(
      testDescription: "the backup folder cannot be made",
      arguments: ["--backup-dir", "/proc/martlet/backups"],
      refusal: "--backup-dir: the folder /proc/martlet cannot be created"),
    Situation(
      testDescription: "the backup folder takes no files",
      arguments: ["--backup-dir", "/proc/self"],
      refusal: "--backup-dir: /proc/self cannot be written to"),
    Situation(testDescription: "a new backup folder", arguments: ["--backup-dir", "new/b/c"]),
    Situation(
      testDescription: "the database is a folder", migrates: false, refusal: "is a folder",
      prepare: Situation.folder("a.db")),
    Situation(
      testDescription: "the database's folder cannot be made",
      arguments: ["--config", "martlet.conf"], migrates: false, refusal: "/proc/martlet",
      prepare: {
        try "database = /proc/martlet/a.db".write(
          toFile: $0.file("martlet.conf"), atomically: true, encoding: .utf8)
        return nil
      }),
  ]

  static let files = [
    Situation(
      testDescription: "not a database", migrates: false, refusal: "is not a database",
      prepare: Situation.file("a.db")),
    Situation(
      testDescription: "another program's database", migrates: false,
      refusal: "the database of another program", prepare: Situation.sql("CREATE TABLE x (y)")),
    Situation(
      testDescription: "a newer database", refusal: "9000 'fromTheFuture'",
      prepare: Situation.sql(
        "INSERT INTO martlet_migrations VALUES (9000, 'fromTheFuture', 'x', 'then')")),
    Situation(
      testDescription: "an edited migration", refusal: "1 'initial'",
      prepare: Situation.sql("UPDATE martlet_migrations SET checksum = 'x' WHERE number = 1")),
    Situation(
      testDescription: "a column that is not there", refusal: "does not fit the program",
      prepare: Situation.sql("ALTER TABLE remindersLists RENAME COLUMN color TO colour")),
    Situation(
      testDescription: "locked", refusal: "another program has locked a.db",
      prepare: {
        // Locked by another process: this one would release its lock when it closes the file
        // (fcntl(2)).
        let lock = try ChildProcess(
          "/usr/bin/python3",
          [
            "-c",
            """
            import sqlite3, time
            db = sqlite3.connect("a.db", isolation_level=None)
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
            db.execute("BEGIN IMMEDIATE")
            print("locked", flush=True)
            time.sleep(120)
            """,
          ], folder: $0)
        try #require(lock.line() == "locked")
        return lock
      }),
  ]

  @Test(
    "All three commands refuse a start with the same message, or none does",
    arguments: addresses + folders + files)
  func agree(_ situation: Situation) throws {
    let folder = try TemporaryFolder()
    if situation.migrates {
      #expect(try MartletProcess.run(["migrate", "--database", "a.db"], in: folder).code == 0)
    }
    let held = try situation.prepare(folder)
    defer { withExtendedLifetime(held) {} }
    let place = situation.arguments.contains("--config") ? [] : ["--database", "a.db"]
    let flags = place + ["--port", "0"] + situation.arguments
    let files = try left(in: folder)
    let doctor = try MartletProcess.run(["doctor"] + flags, in: folder)
    let config = try MartletProcess.run(["config"] + flags, in: folder)
    #expect(try left(in: folder) == files, "the checks leave no files behind")
    let serve = try start(flags, in: folder)
    guard let refusal = situation.refusal else {
      #expect(serve == nil && doctor.code == 0 && config.code == 0, "\(doctor) \(config)")
      return
    }
    let errors = try #require(serve?.errors)
    #expect(serve?.code == config.code && serve?.code != 0 && doctor.code == 1)
    #expect(errors.contains(refusal), "\(errors)")
    let text = errors.trimmingPrefix("martlet: ").split(separator: "\n").first ?? ""
    #expect(doctor.output.contains("wrong    \(text.prefix(60))"), "\(doctor) \(errors)")
    #expect(config.errors == errors)
  }

  /// The files in the folder, except those of SQLite and of the tests.
  private func left(in folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { !$0.hasPrefix("stderr") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.sorted()
  }

  /// Runs `serve` and returns its result; `nil` if it listened.
  private func start(
    _ flags: [String], in folder: TemporaryFolder
  ) throws -> ChildProcess.Result? {
    let process = try ChildProcess(MartletProcess.executable, ["serve"] + flags, folder: folder)
    guard try process.line(within: Deadline.hang) == nil else {
      process.signal(SIGTERM)
      #expect(try process.wait().code == 0)
      return nil
    }
    return try process.wait()
  }

  @Test("A folder without write permission", arguments: ["--backup-dir", "--database"])
  func rights(_ flag: String) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("closed"), withIntermediateDirectories: false)
    try #require(chmod(folder.file("closed"), 0o555) == 0 && chmod(folder.path, 0o777) == 0)
    let name = flag == "--database" ? "closed/a.db" : "closed"
    let flags =
      ["--port", "0", flag, name] + (flag == "--database" ? [] : ["--database", "a.db"])
    func run(_ command: String) throws -> ChildProcess.Result {
      // Root can write to any folder, so the command runs as another user.
      let other = ["--reuid=65534", "--clear-groups", "--", MartletProcess.executable, command]
      return try getuid() == 0
        ? ChildProcess("/usr/bin/setpriv", other + flags, folder: folder).wait()
        : MartletProcess.run([command] + flags, in: folder)
    }
    let serve = try run("serve")
    #expect(serve.code == 1 && serve.errors.contains("closed cannot be written to"), "\(serve)")
    let doctor = try run("doctor")
    #expect(doctor.code == 1 && doctor.output.contains("closed cannot be written to"), "\(doctor)")
    #expect(try run("config").errors == serve.errors)
  }

  @Test("All three commands refuse a low limit of open files")
  func descriptors() throws {
    let folder = try TemporaryFolder()
    for (limit, refuses) in [(20, true), (40, true), (400, false)] {
      func run(_ command: String) throws -> ChildProcess {
        let line = "ulimit -n \(limit); exec $MARTLET \(command) --port 0 --loops 2 --database a.db"
        return try ChildProcess(
          "/bin/sh", ["-c", line], environment: ["MARTLET": MartletProcess.executable],
          folder: folder)
      }
      let serve = try run("serve")
      let isListening = try serve.line() != nil
      serve.signal(SIGTERM)
      let ended = try serve.wait()
      #expect(isListening != refuses && ended.errors.contains("raise the hard limit") == refuses)
      #expect((try run("doctor").wait().code == 1) == refuses)
      #expect((try run("config").wait().code == 1) == refuses)
    }
  }

  @Test("A taken port is refused, unless the server of the same database has it")
  func port() throws {
    let folder = try TemporaryFolder()
    let server = try MartletProcess(in: folder, name: "a.db")
    func run(_ command: String, _ database: String) throws -> ChildProcess.Result {
      try MartletProcess.run(
        [command, "--port", "\(server.port)", "--database", database], in: folder)
    }
    for command in ["serve", "doctor", "config"] {
      let other = try run(command, "b.db")
      #expect(other.code == 1, "\(other)")
      let text = command == "doctor" ? other.output : other.errors
      #expect(text.contains("127.0.0.1:\(server.port)") && text.contains("--port N"), "\(text)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("b.db")))
    // While the server is running, its own flags are only a warning.
    #expect(try run("serve", "a.db").code == 1)
    let doctor = try run("doctor", "a.db")
    #expect(doctor.code == 0 && doctor.output.contains("warning  cannot listen"), "\(doctor)")
    #expect(doctor.output.contains("already serves this database"), "\(doctor)")
    // Only the port is refused: a second server of the same file can use another port.
    let second = try MartletProcess(in: folder, name: "a.db")
    #expect(try RawClient(port: second.port).post("/v1/lists", #"{"title":"x"}"#).status == 201)
    let client = try RawClient(port: server.port)
    #expect(try client.get("/v1/lists").text.contains(#""title":"x""#))
    try second.stop()
    #expect(try run("config", "a.db").code == 0)
    try server.stop()
    #expect(try run("doctor", "b.db").code == 0)
  }
}
