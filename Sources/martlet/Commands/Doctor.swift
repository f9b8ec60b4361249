import Glibc
import HTTPServer
import Reminders
import SQLite
import Store
import Time

/// `martlet doctor`: looks at everything that a server needs, and says what to do about what is wrong.
struct Doctor {
  private var isWell = true

  /// Ends with 1 where something is wrong.
  static func run(_ values: Values) throws {
    let settings = try ServeSettings(values)
    var doctor = Doctor()
    doctor.look(at: settings)
    if !doctor.isWell { throw Failure("something is wrong") }
  }

  private mutating func look(at settings: ServeSettings) {
    say("SQLite \(Version.library)")
    zones()
    descriptors(settings.bounds.http.connections)
    file(settings.database)
    room(settings.database)
    if let backups = settings.backups { look(at: backups, settings.database) }
  }

  // MARK: The machine

  private mutating func zones() {
    ZoneDatabase.system.isAvailable
      ? say("time zones in \(ZoneDatabase.system.directory)")
      : warn("there are no time zones but UTC: install tzdata")
  }

  private mutating func descriptors(_ wanted: Int) {
    let files = DescriptorLimit.hard
    let connections = DescriptorLimit.connections(of: files)
    connections >= wanted
      ? say("\(files == .max ? "any number of" : "\(files)") open files are allowed")
      : warn(
        """
        at most \(files) files may be open, which is \(connections) connections and not \(wanted): \
        raise the hard limit (ulimit -Hn, LimitNOFILE=)
        """)
  }

  private mutating func room(_ path: String) {
    var status = stat()
    var disk = statvfs()
    guard stat(path, &status) == 0, statvfs(path, &disk) == 0 else { return }
    let free = disk.freeBytes
    let text = "\(free >> 20) MiB free where a database of \(Int(status.st_size) >> 20) MiB lies"
    free > max(2 * Int(status.st_size), 64 << 20)
      ? say(text) : warn("\(text): a backup or a large change may not fit; make room")
  }

  // MARK: The database

  private mutating func file(_ path: String) {
    guard access(path, F_OK) == 0 else {
      return say("no database at \(path) yet; serve makes it")
    }
    for wanted in [path, DurableFile.folder(of: path)] where access(wanted, W_OK) != 0 {
      return fault("\(wanted) cannot be written to: \(String(cString: strerror(errno)))")
    }
    do {
      let connection = try Connection(location: .file(path), options: .readWrite)
      connection.setBusyTimeout(milliseconds: 5_000)
      try schema(connection)
      try DatabaseCopy.checkPages(connection)
      say("every page of \(path) is sound")
      let dangling = try DatabaseCopy.danglingReferences(connection)
      dangling == 0
        ? say("every reference leads somewhere")
        : fault(
          "\(dangling) rows refer to others that are not there: sqlite3 \(path) 'PRAGMA foreign_key_check'"
        )
      try search(connection)
    } catch let error as CopyError {
      fault("\(error): restore a backup (martlet restore FILE --force)")
    } catch let error as MigrationError {
      fault("\(error)")
    } catch {
      fault("\(path) cannot be read: \(error)")
    }
  }

  private mutating func schema(_ connection: Connection) throws {
    let pending = try RemindersDatabase.pendingMigrations(connection)
    pending.isEmpty
      ? say("the schema is this version's")
      : say(
        "the next start migrates the schema: \(pending.map { "\($0)" }.joined(separator: ", "))")
  }

  private mutating func search(_ connection: Connection) throws {
    guard try RemindersDatabase.isKnown(connection) else { return }
    let strays = try RemindersDatabase.straySearchTexts(connection)
    strays == 0
      ? say("search knows what the tables hold")
      : fault("search disagrees with the tables about \(strays) reminders: restore a backup")
  }

  private mutating func look(at backups: BackupSchedule.Settings, _ database: String) {
    guard let age = BackupSchedule(of: database, backups, log: Log()).findAge() else {
      return warn("there is no backup in \(backups.folder) yet")
    }
    age * 1000 <= 2 * backups.every
      ? say("the last backup is \(age / 60) minutes old")
      : warn(
        "the last backup is \(age / 3600) hours old: does the server run, is there room for it?")
  }

  // MARK: Saying

  private func say(_ text: String) { print("ok       \(text)") }
  private func warn(_ text: String) { print("warning  \(text)") }
  private mutating func fault(_ text: String) {
    isWell = false
    print("wrong    \(text)")
  }
}
