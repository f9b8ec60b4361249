import Glibc
import HTTPServer
import Reminders
import Store
import Time

/// What `serve` was told.
struct ServeSettings {
  var host: String
  var port: UInt16
  var database: String
  var loops: Int
  var allowedHosts: [String]
  var allowedOrigins: [String]
  var gracePeriod: Int
  var limits = Limits()

  init(_ values: Values) throws {
    host = values.text("host")
    port = UInt16(try values.integer("port", 0...65_535))
    database = values.text("database")
    loops = try values.integer("loops", 0...64)
    allowedHosts = values.list("allowed-host")
    allowedOrigins = values.list("allowed-origin")
    gracePeriod = try values.integer("grace-period", 0...3_600_000)
    let many = 1_000_000
    limits.connections = try values.integer("max-connections", 1...many)
    limits.streams = try values.integer("max-streams", 0...many)
    limits.connectionsPerAddress = try values.integer("max-connections-per-address", 1...many)
    limits.streamsPerAddress = try values.integer("max-streams-per-address", 0...many)
    if !ServeSettings.isLoopback(host), !values.isOn("allow-no-keys") {
      throw UsageError(
        """
        --host \(host) can be reached by others, and there are no keys: everyone who reaches it could \
        read and write everything. Say --allow-no-keys if that is meant
        """)
    }
  }

  static func isLoopback(_ host: String) -> Bool {
    let isFour = host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (48...57).contains($0) }
    return host == "localhost" || host == "::1" || host == "[::1]"
      || (host.hasPrefix("127.") && isFour)
  }
}

/// `martlet serve`
enum Serve {
  static func run(_ values: Values) throws {
    let settings = try ServeSettings(values)
    let log = Log()
    if !ZoneDatabase.system.isAvailable {
      log(
        .warning, "no time zones but UTC: install tzdata", ["folder": ZoneDatabase.system.directory]
      )
    }
    try DatabaseFile.makeFolder(of: settings.database)
    let report = try RemindersDatabase.migrate(path: settings.database)
    for migration in report.applied { log(.info, "migrated", ["migration": "\(migration)"]) }

    let signals = Signals()
    let composition = try Composition(settings, log: log)
    let port = try composition.server.start()
    let host =
      settings.host.contains(":") && !settings.host.hasPrefix("[")
      ? "[\(settings.host)]" : settings.host
    let url = "http://\(host):\(port)"
    log(.info, "try: curl \(url)/v1/lists")
    Output.line("listening on \(url)")
    signals.wait(
      first: {
        log(.info, "stopping: requests in flight are finished, streams are ended")
        composition.server.drain(seconds: 10) { finish(composition, log) }
      },
      further: {
        log(.warning, "stopping at once")
        composition.server.stop()
        finish(composition, log)
      })
  }

  /// The end of the drain and a further signal both come here, perhaps at once.
  private static func finish(_ composition: Composition, _ log: Log) {
    guard composition.close() else { return }
    log(.info, "stopped")
    exit(0)
  }
}

enum DatabaseFile {
  /// Makes the folder that the file lies in, and those around it. Says what is in the way where the file
  /// could not be opened.
  static func makeFolder(of path: String) throws {
    guard !path.isEmpty, path != ":memory:" else {
      throw UsageError("--database is a file, not \"\(path)\"")
    }
    var folder = path.hasPrefix("/") ? "/" : ""
    for piece in path.split(separator: "/").dropLast() {
      folder += (folder.isEmpty || folder.hasSuffix("/") ? "" : "/") + piece
      if mkdir(folder, 0o755) != 0, errno != EEXIST {
        throw Failure("the folder \(folder) cannot be made: \(String(cString: strerror(errno)))")
      }
    }
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw Failure("\(path) is a folder, not a database file")
    }
    // SQLite makes files of its own beside it.
    let place = folder.isEmpty ? "." : folder
    for wanted in [place, path] where access(wanted, W_OK) != 0 && errno != ENOENT {
      throw Failure("\(wanted) cannot be written to: \(String(cString: strerror(errno)))")
    }
  }
}
