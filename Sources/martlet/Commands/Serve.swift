import Glibc
import Reminders
import Time

/// `martlet serve`
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

  private static func run(_ settings: ServeSettings, _ log: Log) throws {
    if !ZoneDatabase.system.isAvailable {
      log(
        .warning, "no time zones but UTC: install tzdata", ["folder": ZoneDatabase.system.directory]
      )
    }
    if access(settings.database, F_OK) != 0 { try letIn(settings, hasKeys: false) }
    try DatabaseFile.prepare(settings.database)
    if let backups = settings.backups { try DatabaseFile.makeFolder(backups.folder) }
    let report = try RemindersDatabase.migrate(path: settings.database)
    for migration in report.applied { log(.info, "migrated", ["migration": "\(migration)"]) }
    for note in report.notes { log(.warning, note) }
    let hasKeys = try FirstKey.exists(settings.database)
    try letIn(settings, hasKeys: hasKeys)
    if settings.makesFirstKey, !hasKeys { try FirstKey.make(settings.database) }

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

  /// Throws where others could reach a server that lets everybody do everything.
  private static func letIn(_ settings: ServeSettings, hasKeys: Bool) throws {
    guard settings.withoutKeys == .nobody, !settings.makesFirstKey, !hasKeys else { return }
    throw UsageError(
      """
      --host \(settings.host) can be reached by others, and there are no keys: everyone who reaches it could \
      read and write everything. Make a key first (martlet key create), or have one made (--first-key), or say \
      --allow-no-keys if that is meant
      """)
  }

  /// The end of the drain and a further signal both come here, perhaps at once.
  private static func finish(_ composition: Composition, _ log: Log) {
    guard composition.close() else { return }
    log(.info, "stopped")
    log.finish()
    exit(composition.exitCode)
  }
}
