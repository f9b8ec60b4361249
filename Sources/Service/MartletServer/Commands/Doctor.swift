import Glibc
import MartletHTTP
import MartletReminders
import MartletSQLite
import MartletStore
import MartletTime

/// `martlet doctor`: checks everything that the server needs, and says how to fix what is wrong.
///
/// The checks of the database file are in `Doctor+Database.swift`, and those of a cluster in
/// `Doctor+Cluster.swift`.
struct Doctor {
  private var isWell = true
  /// The faults reported so far. Each is reported once.
  private var faults: Set<String> = []
  /// The command that replaces the database with the newest backup.
  let restore: String

  private init(_ settings: ServeSettings) {
    let newest = settings.backups.flatMap {
      BackupSchedule(of: settings.database, $0, log: Log()).newest
    }
    restore = DatabaseTrouble.command(newest ?? "FILE", settings.database)
  }

  /// Runs all checks. Throws, so that the exit code is 1, if anything is wrong.
  static func run(_ values: Values) throws {
    let settings = try ServeSettings(values)
    var doctor = Doctor(settings)
    doctor.check(at: settings)
    if !doctor.isWell { throw Failure("there are problems: see the lines marked wrong") }
  }

  private mutating func check(at settings: ServeSettings) {
    say("SQLite \(Version.library)")
    zones(settings.zones)
    descriptors(settings.bounds.http.connections)
    start(settings)
    say(
      settings.hasCalDAV
        ? "calendar programs find the lists at /dav/" : "nothing is below /dav: --no-caldav")
    if let trap = settings.unreachable { warn(trap) }
    if settings.sendsNothing { warn("nothing is sent to channels and devices: --send-nothing") }
    file(settings.database)
    room(settings.database)
    if let backups = settings.backups { check(at: backups, settings.database) }
    if let options = settings.cluster { cluster(options) }
  }

  // MARK: What serve needs to start

  private mutating func start(_ settings: ServeSettings) {
    for check in StartCheck.all {
      do {
        if let line = try check.run(settings) { say(line) }
      } catch let failure as ListenFailure where failure.isRunning {
        warn(
          "\(failure). The server that listens there already serves this database"
        )
      } catch let error as SQLiteError {
        fault(
          DatabaseTrouble.describe(error, settings.database, restore: restore, advisesDoctor: false)
        )
      } catch let error as MigrationError {
        fault(DatabaseTrouble.describe(error, settings.database))
      } catch {
        fault("\(error)")
      }
    }
  }

  // MARK: The machine

  private mutating func zones(_ zones: ZoneSetting) {
    guard ZoneDatabase.system.isAvailable else {
      return warn("only the time zone UTC is available: install tzdata")
    }
    say("time zones in \(ZoneDatabase.system.directory)")
    say("reminders without a time zone are in \(zones.house.identifier): \(zones.origin)")
  }

  private mutating func descriptors(_ wanted: Int) {
    let files = DescriptorLimit.hard
    let connections = DescriptorLimit.connections(of: files)
    connections >= wanted
      ? say("\(files == .max ? "any number of" : "\(files)") open files are allowed")
      : warn(
        """
        the process may open at most \(Count(files, "file")), enough for \(Count(connections, "connection")) and not \(wanted): \
        raise the hard limit (ulimit -Hn, LimitNOFILE=)
        """)
  }

  private mutating func room(_ path: String) {
    var status = stat()
    var disk = statvfs()
    guard stat(path, &status) == 0, statvfs(path, &disk) == 0 else { return }
    let free = disk.freeBytes
    let text =
      "\(free >> 20) MiB free on the disk of the database, which has \(Int(status.st_size) >> 20) MiB"
    free > max(2 * Int(status.st_size), 64 << 20)
      ? say(text) : warn("\(text): a backup or a large change may not fit; free disk space")
  }

  private mutating func check(at backups: BackupSchedule.Settings, _ database: String) {
    guard let age = BackupSchedule(of: database, backups, log: Log()).findAge() else {
      return warn("there is no backup in \(backups.folder) yet")
    }
    if DatabaseFile.isOpenToOthers(backups.folder) {
      warn("every user of the machine can list \(backups.folder): chmod 700 \(backups.folder)")
    }
    let seconds = Int(age.components.seconds)
    age <= backups.every * 2
      ? say("the last backup is \(Count(seconds / 60, "minute")) old")
      : warn(
        "the last backup is \(Count(seconds / 3600, "hour")) old: check that the server runs and that the disk has space"
      )
  }

  // MARK: Output

  func say(_ text: String) { print("ok       \(text)") }
  func warn(_ text: String) { print("warning  \(text)") }
  mutating func fault(_ text: String) {
    isWell = false
    guard faults.insert(text).inserted else { return }
    print("wrong    \(text)")
  }
}
