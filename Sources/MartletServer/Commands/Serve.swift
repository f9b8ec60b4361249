import Glibc
import MartletHTTP
import MartletReminders
import MartletTime

/// `martlet serve`
enum Serve {
  static func run(_ values: Values) throws {
    let settings = try ServeSettings(values)
    let log = Log(settings.logLevel, settings.logFormat)
    for warning in values.warnings { log(.warning, warning) }
    do {
      try run(settings, log)
    } catch {
      log.finish()
      throw error
    }
  }

  private static func run(_ settings: ServeSettings, _ log: Log) throws {
    if !ZoneDatabase.system.isAvailable {
      log(
        .warning, "no time zones but UTC: install tzdata",
        ["folder": .text(ZoneDatabase.system.directory)]
      )
    }
    for check in StartCheck.beforeMigration { _ = try check.run(settings) }
    if let trouble = DatabaseTrouble.lost(settings) { log(.warning, trouble) }
    try DatabaseFile.prepare(settings.database)
    if let backups = settings.backups { try Folder.make(backups.folder) }
    let report = try RemindersDatabase.migrate(path: settings.database)
    for migration in report.applied { log(.info, "migrated", ["migration": "\(migration)"]) }
    if report.applied.isEmpty, report.triggersRenewed { log(.warning, "triggers renewed") }
    for note in report.notes { log(.warning, note) }
    var hasKeys = try FirstKey.exists(settings.database)
    if settings.makesFirstKey, !hasKeys {
      try FirstKey.make(settings.database, log)
      hasKeys = true
    }

    let signals = StopSignals()
    let composition = try Composition(settings, log: log)
    let port: UInt16
    do { port = try composition.start() } catch let error as SystemError {
      // Taken since it was looked at.
      throw ListenFailure(error, settings)
    }
    let host =
      settings.host.contains(":") && !settings.host.hasPrefix("[")
      ? "[\(settings.host)]" : settings.host
    let url = "http://\(host):\(port)"
    log(.info, "try: \(example(settings, port, hasKeys))")
    log.announce("listening on \(url)", to: STDOUT_FILENO)
    ServiceManager.notify("READY=1")
    signals.wait(
      first: {
        log(.info, "stopping: requests in flight are finished, streams are ended")
        ServiceManager.notify("STOPPING=1")
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

  /// A command that gets an answer from a shell of this machine; where there are keys, of whoever has one in `KEY`.
  private static func example(_ settings: ServeSettings, _ port: UInt16, _ hasKeys: Bool) -> String
  {
    let host = settings.reachableHost
    // Other names are refused, unless a key protects from pages that lead theirs here.
    let isKnown =
      HTTPServer.Configuration.isLoopback(host) || settings.allowedHosts.contains(host)
      || hasKeys && settings.allowedHosts.isEmpty
    let name = isKnown ? "" : "-H Host:localhost "
    let key = hasKeys ? "--oauth2-bearer $KEY " : ""
    return "curl \(name)\(key)http://\(host):\(port)/v1/lists"
  }

  /// The end of the drain and a further signal both come here, perhaps at once.
  private static func finish(_ composition: Composition, _ log: Log) {
    guard composition.close() else { return }
    log(.info, "stopped")
    log.finish()
    exit(composition.exitCode)
  }
}
