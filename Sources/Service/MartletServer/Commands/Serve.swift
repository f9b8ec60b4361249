import Glibc
import MartletHTTP
import MartletReminders
import MartletStore
import MartletTime
import Synchronization

/// `martlet serve`: migrates the database, serves it, and shuts down on a signal.
enum Serve {
  static func run(_ values: Values) throws {
    let settings = try ServeSettings(values)
    let log = Log(settings.logLevel, settings.logFormat)
    do {
      try run(settings, log)
    } catch {
      log.finish()
      throw error
    }
  }

  /// Whether a signal has asked the process to end.
  private static let isStopping = Atomic(false)

  private static func run(_ settings: ServeSettings, _ log: Log) throws {
    if !ZoneDatabase.system.isAvailable {
      log(
        .warning, "only the time zone UTC is available: install tzdata",
        ["folder": .text(ZoneDatabase.system.directory)]
      )
    }
    for check in StartCheck.beforeMigration { _ = try check.run(settings) }
    if let trap = settings.unreachable { log(.warning, trap) }
    try DatabaseFile.prepare(settings.database)
    for name in DatabaseCopy.removeLeft(of: settings.database) {
      log(.info, "deleted what a killed restore has left", ["file": .text(name)])
    }
    if let backups = settings.backups { try Folder.make(backups.folder) }
    try prepare(settings, log)

    let signals = StopSignals()
    let composition = try Composition(settings, log: log)
    let port: UInt16
    do { port = try composition.start() } catch let error as SystemError {
      // The port was free when it was checked, and has been taken since.
      throw ListenFailure(error, settings)
    }
    let host =
      settings.host.contains(":") && !settings.host.hasPrefix("[")
      ? "[\(settings.host)]" : settings.host
    let url = "http://\(host):\(port)"
    log(.info, "try: \(example(settings, port, try composition.hasKeys()))")
    log.announce("listening on \(url)", to: STDOUT_FILENO)
    ServiceManager.notify("READY=1")
    composition.onRestart {
      composition.service.drain(within: .seconds(2)) {
        guard composition.close() else { return }
        log.finish()
        if isStopping.load(ordering: .acquiring) { exit(composition.exitCode) }
        startAgain()
      }
    }
    signals.wait(
      first: {
        log(.info, "stopping: finishing requests in flight, ending streams")
        ServiceManager.notify("STOPPING=1")
        isStopping.store(true, ordering: .releasing)
        composition.handOver()
        composition.service.drain(within: settings.drainTimeout) {
          finish(composition, log)
        }
      },
      further: {
        log(.warning, "stopping at once")
        composition.service.server.stop()
        finish(composition, log)
      })
  }

  /// Gives the file the schema of this version, and a first key if it should have one: unless it
  /// belongs to a cluster, or will be replaced by the file of one.
  private static func prepare(_ settings: ServeSettings, _ log: Log) throws {
    let path = settings.database
    guard try DatabaseFile.mayBegin(path, settings.cluster) else { return }
    let report = try RemindersDatabase.migrate(path: path)
    for migration in report.applied { log(.info, "migrated", ["migration": "\(migration)"]) }
    if report.applied.isEmpty, report.triggersRenewed { log(.warning, "triggers recreated") }
    for note in report.notes { log(.warning, note) }
    guard settings.makesFirstKey, try !FirstKey.exists(path) else { return }
    try FirstKey.make(path, log)
  }

  /// A `curl` command for the log that works in a shell on this machine.
  ///
  /// If there are API keys, it expects one in the variable `KEY`.
  private static func example(_ settings: ServeSettings, _ port: UInt16, _ hasKeys: Bool) -> String
  {
    let host = settings.reachableHost
    // Any other Host is refused, unless API keys protect against pages whose name was pointed at
    // this machine (DNS rebinding).
    let isKnown =
      HTTPServer.Configuration.isLoopback(host) || settings.allowedHosts.contains(host)
      || hasKeys && settings.allowedHosts.isEmpty
    let name = isKnown ? "" : "-H Host:localhost "
    let key = hasKeys ? "--oauth2-bearer $KEY " : ""
    // Without a key, a request from the address of a proxy has to say that it is not forwarded.
    let isProxy = !hasKeys && settings.trustedProxies.contains { $0.isLoopback }
    let local = isProxy ? "-H 'X-Forwarded-For: 127.0.0.1' " : ""
    return "curl \(name)\(local)\(key)http://\(host):\(port)/v1/lists"
  }

  /// Replaces the process by a new one of the same program, with the same arguments.
  private static func startAgain() -> Never {
    // dqlite's sockets would stay open.
    for name in Directory.names(in: "/proc/self/fd") {
      if let descriptor = Int32(name), descriptor > STDERR_FILENO {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      }
    }
    var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
    execv("/proc/self/exe", &arguments)
    exit(1)
  }

  /// Called at the end of the drain and by a second signal, possibly at the same time.
  private static func finish(_ composition: Composition, _ log: Log) {
    guard composition.close() else { return }
    log(.info, "stopped")
    log.finish()
    exit(composition.exitCode)
  }
}
