import Dispatch
import Glibc
import Store
import Synchronization
import Time

/// Backups of the database while it is served: every so often one, the newest few are kept.
///
///     martlet-20261121T220000Z.db
final class BackupSchedule: Sendable {
  struct Settings: Sendable {
    var folder: String
    /// In milliseconds.
    var every: Int
    var keep: Int
  }

  private let database: String
  private let settings: Settings
  private let log: Log
  private let queue = DispatchQueue(label: "backup", qos: .utility)
  private let isStopped = Atomic(false)

  init(of database: String, _ settings: Settings, log: Log) {
    self.database = database
    self.settings = settings
    self.log = log
  }

  func start() {
    queue.async { [self] in
      for name in files(ending: DatabaseCopy.partial) { unlink("\(settings.folder)/\(name)") }
      plan(after: age.map { max(settings.every - $0 * 1000, 0) } ?? 0)
    }
  }

  /// Ends a backup that is being made, and makes no further ones.
  func stop() { isStopped.store(true, ordering: .relaxed) }

  /// Seconds since the last good backup; `nil` where there is none.
  var age: Int? {
    guard let newest = files(ending: ".db").last else { return nil }
    var status = stat()
    guard stat("\(settings.folder)/\(newest)", &status) == 0 else { return nil }
    return max(Int(Clock.system.now().seconds) - status.st_mtim.tv_sec, 0)
  }

  private func plan(after milliseconds: Int) {
    queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in self?.run() }
  }

  private func run() {
    guard !isStopped.load(ordering: .relaxed) else { return }
    do {
      let name = "\(settings.folder)/\(BackupSchedule.name(Clock.system.now()))"
      let report = try DatabaseCopy.make(of: database, at: name) { _ in
        if self.isStopped.load(ordering: .relaxed) { throw Stopped() }
      }
      log(.info, "backed up", ["file": name, "bytes": "\(report.bytes)", "rows": "\(report.rows)"])
      for old in files(ending: ".db").dropLast(settings.keep) {
        unlink("\(settings.folder)/\(old)")
      }
      plan(after: settings.every)
    } catch is Stopped {
      return
    } catch {
      log(.error, "the backup failed and will be tried again", ["error": "\(error)"])
      plan(after: min(settings.every, 600_000))
    }
  }

  private struct Stopped: Error {}

  private static func name(_ now: Instant) -> String {
    let text = RFC3339.string(now).prefix(19).filter { $0 != "-" && $0 != ":" }
    return "martlet-\(text)Z.db"
  }

  /// Those that this has made, the oldest first.
  private func files(ending: String) -> [String] {
    guard let folder = opendir(settings.folder) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasPrefix("martlet-2"), name.hasSuffix(ending) { names.append(name) }
    }
    return names.sorted()
  }
}
