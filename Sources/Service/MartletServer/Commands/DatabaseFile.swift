import Glibc
import MartletCluster
import MartletReminders
import MartletSQLite
import MartletStore

/// The database file, as the commands check, open and migrate it.
enum DatabaseFile {
  /// Creates the folder of the file. Throws an error if the file could not be opened for writing.
  static func prepare(_ path: String) throws {
    try checkWritable(path)
    try Folder.make(DurableFile.folder(of: path))
  }

  /// Throws the errors of ``prepare(_:)``, but creates nothing.
  static func checkWritable(_ path: String) throws {
    guard !path.isEmpty, path != ":memory:" else {
      throw UsageError("--database must name a file, not \"\(path)\"")
    }
    // SQLite creates the WAL and its index in the same folder.
    try Folder.checkWritable(DurableFile.folder(of: path))
    guard !Folder.exists(path) else { throw Failure("\(path) is a folder, not a database file") }
    guard access(path, R_OK | W_OK) == 0 || errno == ENOENT else {
      throw Failure("\(path) cannot be written to: \(FileRemedy.cause(path))")
    }
  }

  /// Whether `serve` may change the file before it is open: one that belongs to no cluster, and
  /// that will not be replaced by that of another node. Throws if the file and the settings
  /// contradict each other.
  static func mayBegin(_ path: String, _ cluster: ClusterOptions?) throws -> Bool {
    let exists = access(path, F_OK) == 0
    guard let cluster else {
      try checkSingle(path)
      return true
    }
    guard isOfCluster(path) else {
      guard case .bootstrap = cluster.beginning else { return false }
      // A node that has lost its file gets a copy of another one.
      return exists || access(cluster.folder + "/node.json", F_OK) != 0
    }
    return false
  }

  /// How the schema of the file relates to this program.
  static func fit(_ path: String) throws -> RemindersDatabase.SchemaFit {
    let connection = try reading(path)
    defer { connection.close() }
    return try RemindersDatabase.fit(connection)
  }

  /// Throws if the file belongs to a cluster, whose other nodes would not have what a command
  /// changes.
  static func checkSingle(_ path: String) throws {
    guard isOfCluster(path) else { return }
    throw Failure(
      "\(path) belongs to a cluster, and only its node may change it: serve it with the same --cluster-… flags as before (doctor takes them too). If the cluster is given up, martlet cluster leave makes it a single file"
    )
  }

  /// Whether the file exists and belongs to a cluster. A damaged file does not show it.
  static func isOfCluster(_ path: String) -> Bool {
    access(path, F_OK) == 0 && (try? ClusterFile.position(of: path)) != nil
  }

  /// Migrates the file to this version's schema and reports what changed on standard error, in the
  /// words of `martlet migrate`. For commands that write something else to standard output.
  static func migrate(_ path: String) throws {
    try checkSingle(path)
    let isNew = access(path, F_OK) != 0
    let report = try ownedByFolder(path) { try RemindersDatabase.migrate(path: path) }
    // For a new file the migrations are expected, so they are not reported.
    for line in lines(of: report) where !isNew {
      Output.line("\(path): \(line)", to: STDERR_FILENO)
    }
  }

  /// Runs `body`, and gives the file to the owner of its folder if root has created it in there:
  /// the user that the server runs as could not open it.
  static func ownedByFolder<T>(_ path: String, _ body: () throws -> T) rethrows -> T {
    let isNew = access(path, F_OK) != 0
    let result = try body()
    if isNew { giveToOwnerOfFolder(path) }
    return result
  }

  /// Changes only files that root has just created. The owner of the folder may have put links to
  /// other files of root there, which must not become theirs.
  static func giveToOwnerOfFolder(_ path: String) {
    var folder = stat()
    guard geteuid() == 0, stat(DurableFile.folder(of: path), &folder) == 0, folder.st_uid != 0
    else { return }
    for ending in ["", "-wal", "-shm"] {
      let descriptor = open(path + ending, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      var file = stat()
      guard fstat(descriptor, &file) == 0, file.st_mode & S_IFMT == S_IFREG, file.st_uid == 0,
        file.st_nlink == 1
      else { continue }
      _ = fchown(descriptor, folder.st_uid, folder.st_gid)
    }
  }

  /// The steps of a migration, one line each; empty if there was nothing to do.
  static func lines(of report: Migrator.Report) -> [String] {
    let migrated = report.applied.map { "migrated \($0)" }
    let renewed = report.applied.isEmpty && report.triggersRenewed ? ["triggers recreated"] : []
    return migrated + renewed + report.notes
  }

  /// Opens a file of this version read-only. A file of an older version is refused: a command that
  /// only reads must not migrate it, because there would be no way back.
  static func readingCurrent(_ path: String) throws -> Connection {
    let connection = try reading(path)
    guard try RemindersDatabase.pendingMigrations(connection).isEmpty else {
      connection.close()
      throw Failure(
        "\(path) has an older schema: make a backup with martlet backup FILE --database \(path), then update it with martlet migrate --database \(path)"
      )
    }
    return connection
  }

  /// Opens an existing file read-only. A server may be using it.
  static func reading(_ path: String) throws -> Connection {
    guard access(path, F_OK) == 0 else {
      throw Failure(
        """
        there is no database at \(path): name the file of the server with --database, or create an empty one with \
        martlet migrate --database \(path)
        """)
    }
    let connection = try Connection(location: .file(path), options: [.readOnly])
    connection.setBusyTimeout(.seconds(5))
    return connection
  }

  /// How long a command waits for the lock of another program: as long as a write of the server may
  /// last.
  static let lockTimeout = Configuration().writeTimeout

  /// Opens the file for reading and writing while a server may be using it.
  ///
  /// The lock is retried without backing off, because the server may be writing without pause, for
  /// example for a client whose key is about to be revoked.
  static func withDatabase<T>(
    _ path: String, lockTimeout: Duration = lockTimeout,
    _ body: (EmbeddedDatabase) throws -> T
  ) throws -> T {
    try checkSingle(path)
    let signal = FollowUps.Signal()
    var settings = Configuration()
    settings.busyTimeout = lockTimeout
    settings.retriesBusyLock = true
    // A command of an operator has no limits.
    settings.writeTimeout = .zero
    settings.writeRows = 0
    let database = try EmbeddedDatabase(path: path, configuration: settings) {
      try FollowUps.prepare($0, signal: signal)
    } onEvent: {
      // The command reports that as its error.
      if case .busy = $0 { return }
      StoreEvent.log($0)
    }
    defer { database.close() }
    return try body(database)
  }

  /// Returns a check that throws if a file is not a complete Martlet database.
  ///
  /// Such a file is neither backed up nor restored.
  static func check(_ path: String) -> (Connection) throws -> Void {
    { connection in
      guard try RemindersDatabase.isKnown(connection) else {
        throw Failure(
          "\(path) is not a Martlet database: none of its tables exist. Name another file")
      }
      let lost = try RemindersDatabase.lostTables(connection)
      guard lost.isEmpty else { throw MigrationError.lostTables(lost) }
    }
  }

  /// Returns the check of a backup before it is restored: ``check(_:)``, and that it brings no
  /// triggers and views of other programs.
  static func checkBackup(_ path: String) -> (Connection) throws -> Void {
    { connection in
      try check(path)(connection)
      let foreign = try RemindersDatabase.foreignObjects(connection).filter { $0.type != "table" }
      guard !foreign.isEmpty else { return }
      let names = foreign.map { "the \($0.type) \($0.name.excerpt)" }
      throw Failure(
        "\(path) has \(names.joined(separator: ", ")), which martlet does not know and which may change data: in a copy of the file, drop it with sqlite3, and restore the copy. Nothing was restored"
      )
    }
  }

  /// Whether other users of the machine can read the file; `false` if it does not exist.
  static func isOpenToOthers(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & 0o004 != 0
  }
}
