import Glibc
import Reminders
import Time

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
    try DatabaseFile.prepare(settings.database)
    if let backups = settings.backups { try DatabaseFile.makeFolder(backups.folder) }
    let report = try RemindersDatabase.migrate(path: settings.database)
    for migration in report.applied { log(.info, "migrated", ["migration": "\(migration)"]) }

    let signals = Signals()
    let composition = try Composition(settings, log: log)
    let port = try composition.start()
    let host =
      settings.host.contains(":") && !settings.host.hasPrefix("[")
      ? "[\(settings.host)]" : settings.host
    let url = "http://\(host):\(port)"
    log(.info, "try: curl \(url)/v1/lists")
    Output.line("listening on \(url)")
    signals.wait(
      first: {
        log(.info, "stopping: requests in flight are finished, streams are ended")
        composition.server.drain(milliseconds: settings.drainTimeout) { finish(composition, log) }
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
    exit(composition.exitCode)
  }
}
