import Dispatch
import Glibc
import MartletStore
import MartletTime
import Synchronization

/// Makes scheduled backups while the server runs, and deletes all but the newest few.
///
/// A backup is named after its database and its time in UTC:
///
///     martlet-20261121T220000Z.db
///
/// Databases with the same file name need different backup folders.
final class BackupSchedule: Sendable {
  struct Settings: Sendable {
    var folder: String
    /// The interval between two backups.
    var every: Duration
    /// The number of backups that are kept.
    var keep: Int
  }

  private let database: String
  private let settings: Settings
  private let log: Log
  private let queue = DispatchQueue(label: "backup", qos: .utility)
  private let isStopped = Atomic(false)
  private let next = Mutex<Agenda.Entry?>(nil)
  /// When the last successful backup was made, in seconds since 1970; 0 while unknown.
  private let last = Atomic(0)
  private let created = Clock.system.now()
  private let failed: @Sendable () -> Void

  /// - Parameters:
  ///   - database: The path of the database.
  ///   - settings: Where backups go, and how often.
  ///   - log: The log.
  ///   - failed: Called after each backup that failed.
  init(
    of database: String, _ settings: Settings, log: Log, failed: @escaping @Sendable () -> Void = {}
  ) {
    self.database = database
    self.settings = settings
    self.log = log
    self.failed = failed
  }

  /// The interval between two backups.
  var interval: Duration { settings.every }

  /// How long the server has been running, which is the age before the first backup.
  var waiting: Duration { .seconds(max(Int(Clock.system.now().seconds - created.seconds), 0)) }

  /// Deletes partial backups of earlier processes and plans the next backup.
  func start(_ agenda: Agenda) {
    let entry = agenda.entry()
    entry.whenDue { [weak self] _, reason in
      guard let self else { return }
      queue.async { reason == .isDue ? self.run() : self.plan() }
    }
    next.withLock { $0 = entry }
    queue.async { [self] in
      for name in entries where isPartial(name) { unlink("\(settings.folder)/\(name)") }
      plan()
    }
  }

  /// Aborts a running backup and makes no further ones. Returns when the database is no longer
  /// read.
  func stop() {
    isStopped.store(true, ordering: .relaxed)
    queue.sync {}
  }

  /// The age of the last successful backup in whole seconds; `nil` without a backup.
  ///
  /// Does not access the disk, so event loops can call it.
  var age: Duration? {
    let last = last.load(ordering: .relaxed)
    return last > 0 ? .seconds(max(Int(Clock.system.now().seconds) - last, 0)) : nil
  }

  /// The age of the newest backup in the folder; `nil` without a backup. Reads the disk.
  func findAge() -> Duration? {
    guard let newest else { return nil }
    var status = stat()
    guard stat(newest, &status) == 0 else { return nil }
    last.store(status.st_mtim.tv_sec, ordering: .relaxed)
    return age
  }

  /// The path of the newest backup in the folder.
  var newest: String? { backups.last.map { "\(settings.folder)/\($0)" } }

  /// Plans the next backup from the age of the newest one.
  private func plan() {
    plan(after: findAge().map { max(settings.every - $0, .zero) } ?? .zero)
  }

  private func plan(after pause: Duration) {
    let instant = Clock.system.now().adding(pause)
    next.withLock { $0?.plan(at: instant) }
  }

  private func run() {
    guard !isStopped.load(ordering: .relaxed) else { return }
    let path = "\(settings.folder)/\(name(Clock.system.now()))"
    do {
      let report = try DatabaseCopy.make(
        of: database, at: path, check: DatabaseFile.check(database)
      ) { _ in
        if self.isStopped.load(ordering: .relaxed) { throw Stopped() }
      }
      log(
        .info, "backed up",
        ["file": .text(path), "bytes": .number(report.bytes), "rows": .number(report.rows)])
      if report.danglingReferences > 0 {
        log(
          .warning, "the backup has rows that refer to missing rows; run martlet doctor",
          ["rows": .number(report.danglingReferences)])
      }
      last.store(Int(Clock.system.now().seconds), ordering: .relaxed)
      for old in backups.dropLast(settings.keep) { unlink("\(settings.folder)/\(old)") }
      plan(after: settings.every)
    } catch  where isStopped.load(ordering: .relaxed) {
      return
    } catch {
      log(.error, "the backup failed and will be retried", ["error": .cause(error)])
      failed()
      plan(after: min(settings.every, .seconds(600)))
    }
  }

  private struct Stopped: Error {}

  // MARK: Names

  /// The prefix of the backups' names: the name of the database file without `.db`.
  private var stem: String {
    let file = database.utf8.split(separator: UInt8(ascii: "/")).last.map { Substring($0) }
    guard let file else { return "martlet" }
    return String(file.hasSuffix(".db") ? file.dropLast(3) : file)
  }

  private func name(_ now: Instant) -> String {
    let text = RFC3339.string(now).prefix(19).filter { $0 != "-" && $0 != ":" }
    return "\(stem)-\(text)Z.db"
  }

  /// The names of this database's backups in the folder, oldest first.
  private var backups: [String] {
    entries.filter { name in
      time(of: name).map { $0.wholeMatch(of: #/\d{8}T\d{6}Z\.db/#) != nil } ?? false
    }.sorted()
  }

  /// Whether the file is an unfinished backup, left by a process that ended while writing it.
  private func isPartial(_ name: String) -> Bool {
    time(of: name)?.wholeMatch(of: #/\d{8}T\d{6}Z\.db\.\d+\.partial(-\w+)?/#) != nil
  }

  private func time(of name: String) -> Substring? {
    // Compared by bytes: Swift's string equality is canonical, so a backup of another database,
    // whose name is only canonically equivalent, would match.
    let start = Array("\(stem)-".utf8)
    guard name.utf8.starts(with: start) else { return nil }
    return Substring(name.utf8.dropFirst(start.count))
  }

  private var entries: [String] { Directory.names(in: settings.folder) }
}
