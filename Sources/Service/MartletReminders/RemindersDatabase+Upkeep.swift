import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

// Migration and checks of database files, for the commands.
extension RemindersDatabase {
  /// Migrates a database file to this program's schema and triggers.
  ///
  /// If a trigger was missing or changed, or the search index was empty, the index is repaired from
  /// the tables. The report says so.
  ///
  /// - Parameter checksSearch: Compares the complete index with the tables in any case, which takes
  ///   as long as reading both.
  @discardableResult
  public static func migrate(path: String, checksSearch: Bool = false) throws -> Migrator.Report {
    try mendingMigrator(checksSearch: checksSearch).migrate(path: path)
  }

  /// Runs ``migrate(path:checksSearch:)`` on an existing file and rolls it back. Throws what it
  /// would throw. The file is not changed.
  public static func rehearseMigration(path: String) throws -> Migrator.Report {
    try mendingMigrator(checksSearch: false).rehearse(path: path)
  }

  private static func mendingMigrator(checksSearch: Bool) throws -> Migrator {
    var migrator = try lastingMigrator
    migrator.mend = { connection, report in
      let isRenewed = report.triggersRenewed || !report.applied.isEmpty
      let depth: SearchIndex.Depth = checksSearch ? .everything : isRenewed ? .rows : .ends
      var notes: [String] = []
      let numbers = Set(report.applied.map(\.number))
      if !numbers.isDisjoint(with: [6, 7, 19]) {
        // What the former ones have repaired is known already.
        let new = numbers.contains(7) ? "" : " WHERE oldValue GLOB '0000-*'"
        let count = try connection.value("SELECT count(*) FROM repairs\(new)")?.integer ?? 0
        if count > 0 {
          notes.append(
            Count(
              Int(count), "old value was repaired; the original is in the table repairs",
              "old values were repaired; the originals are in the table repairs"
            ).description)
        }
      }
      // Without it no client could follow the feed. All begin anew, as after a restore.
      if try connection.value("SELECT epoch FROM feedState") == nil {
        try connection.execute(
          "INSERT INTO feedState (id, epoch, horizon) VALUES (1, lower(hex(randomblob(6))), 0)")
        notes.append("the state of the change feed was missing and was created")
      }
      // That migration leaves an empty index.
      let isNew = report.applied.contains { $0.number == 21 }
      if let rows = try SearchIndex.mend(connection, depth), !isNew {
        notes.append(
          "the search index differed from the tables and was repaired"
            + (rows == 0
              ? "" : ": " + Count(rows, "row was rebuilt", "rows were rebuilt").description))
      }
      return notes
    }
    return migrator
  }

  /// Whether this is a reminders database of this version or an older one. Throws if this program
  /// could not migrate it.
  public static func isKnown(_ connection: Connection) throws -> Bool {
    try pendingMigrations(connection).count < migrations.count
  }

  /// The migrations that the next ``migrate(path:checksSearch:)`` will run. Throws if this program
  /// could not run them.
  public static func pendingMigrations(_ connection: Connection) throws -> [Migration] {
    try migrator.pending(connection)
  }

  /// How the schema of a file relates to the one that this program needs.
  public enum SchemaFit: Sendable, Equatable {
    /// Both have the same migrations.
    case fits
    /// This program has migrations that the file lacks.
    case older
    /// The file has migrations that this program does not know.
    case newer
  }

  /// Compares the migrations of a file with those of this program. Throws if they contradict each
  /// other.
  public static func fit(_ connection: Connection) throws -> SchemaFit {
    do { return try pendingMigrations(connection).isEmpty ? .fits : .older } catch MigrationError
      .newerDatabase
    { return .newer }
  }

  /// Refuses all tokens of the change feed that were issued before, for a database that was
  /// restored from a backup: its versions are given to other changes than in the replaced file.
  public static func startFeedAnew(_ connection: Connection) throws {
    // A backup of an earlier version has no feed. Its migration sets an epoch.
    guard try connection.tableExists("feedState") else { return }
    try connection.execute("UPDATE feedState SET epoch = lower(hex(randomblob(6)))")
  }

  /// Lets no alarm ring again in a database that was restored from a backup: those whose time has
  /// come are passed. Returns their number.
  public static func passAlarms(at now: Instant, _ connection: Connection) throws -> Int {
    guard try connection.tableExists("alarms") else { return 0 }
    let time = Value.text(SQLiteTime.string(now))
    try connection.run(
      "UPDATE alarms SET state = 4, fireAt = NULL WHERE state < 3 AND fireAt <= ?", time)
    return connection.changes
  }

  /// Gives up what waits in the outbox of a database that was restored from a backup, because it
  /// may have been sent. Returns the number of deliveries.
  public static func giveUpDeliveries(at now: Instant, _ connection: Connection) throws -> Int {
    guard try connection.tableExists("deliveries") else { return 0 }
    return try DeliveryRepository.giveUp(at: now, connection)
  }

  // MARK: What is otherwise than it should be

  /// The tables missing from a file of this version, except the counters and the tables of the
  /// search index, which can be rebuilt.
  public static func lostTables(_ connection: Connection) throws -> [String] {
    try migrator.pending(connection).isEmpty ? lastingMigrator.lostTables(connection) : []
  }

  private static var lastingMigrator: Migrator {
    get throws {
      var migrator = migrator
      migrator.lastingTables = try freshObjects().filter { $0.type == "table" }.map(\.name).filter {
        !$0.hasPrefix("reminderTexts") && $0 != CountedTables.table
      }
      return migrator
    }
  }

  /// The triggers that the file lacks, that differ, or that are unknown. The next start repairs
  /// them.
  public static func triggerDifferences(
    _ connection: Connection
  ) throws(SQLiteError) -> [TriggerInstaller.Difference] {
    try TriggerInstaller(triggers).differences(connection)
  }

  /// A table or an index of this version's schema.
  public struct SchemaObject: Hashable, Sendable {
    /// `table` or `index`.
    public let type: String
    /// The name of the table or index.
    public let name: String
    /// The `CREATE` statement.
    public let sql: String
  }

  /// The tables and indexes that a file of this version lacks, or whose definition differs.
  public static func missingObjects(_ connection: Connection) throws -> [SchemaObject] {
    let present = Set(try objects(of: connection))
    return try freshObjects().filter { !present.contains($0) }
  }

  /// The triggers and views of other programs, and in a file of this version also their tables. A
  /// trigger runs with each write of the service, and may change whatever it likes.
  public static func foreignObjects(_ connection: Connection) throws -> [SchemaObject] {
    let own = Set(try freshObjects().map(\.name))
    let isCurrent = try pendingMigrations(connection).isEmpty
    return try connection.rows(
      """
      SELECT type, name, coalesce(sql, '') FROM main.sqlite_schema \
      WHERE type IN ('trigger', 'view', 'table') \
      AND substr(name, 1, 8) <> '\(TriggerInstaller.prefix)' \
      AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name
      """
    ).map { SchemaObject(type: $0[0].text ?? "", name: $0[1].text ?? "", sql: $0[2].text ?? "") }
      // Older versions had other tables.
      .filter { $0.type != "table" || (isCurrent && !own.contains($0.name)) }
  }

  /// Stored texts that the API would refuse, each as its place and the fault. It stops after about
  /// ten.
  public static func unfitTexts(_ connection: Connection) throws -> [String] {
    var faults: [String] = []
    for (table, key, column, longest) in [
      ("remindersLists", "id", "title", 1_000), ("reminders", "id", "title", 1_000),
      ("reminders", "id", "notes", 100_000), ("tags", "title", "title", 100),
      ("remindersTags", "id", "tagID", 100),
    ] {
      let statement = try connection.cached("SELECT \(key), \(column) FROM \(table)")
      defer { statement.reset() }
      while faults.count < 10, try statement.step() {
        guard let bytes = statement.textBytes(at: 1) else { continue }
        let place = "\(table).\(column) of \(key) \(statement.value(at: 0))"
        guard let text = String(validating: bytes, as: UTF8.self) else {
          faults.append("\(place) is not UTF-8: clients receive U+FFFD for invalid bytes")
          continue
        }
        // The cheap byte count rules out most texts before characters are counted.
        if bytes.count > longest, text.unicodeScalars.count > longest {
          faults.append("\(place) is longer than \(longest) characters")
        }
        if bytes.contains(0) { faults.append("\(place) holds a NUL character") }
      }
    }
    return faults
  }

  /// Alarms that never ring, because another program wrote a duration that cannot be read: each as
  /// its place and the fault. At most ten.
  public static func unfitAlarms(_ connection: Connection) throws -> [String] {
    var faults: [String] = []
    let statement = try connection.cached("SELECT id, offset, repeatEvery, repeatTimes FROM alarms")
    defer { statement.reset() }
    while faults.count < 10, try statement.step() {
      let id = statement.value(at: 0)
      if let offset = statement.value(at: 1).text, AlarmTrigger.offset(offset) == nil {
        faults.append(
          "alarms.offset of id \(id) is no duration of at most 366 days: it never rings")
      }
      if let every = statement.value(at: 2).text, let times = statement.value(at: 3).integer,
        AlarmTrigger.Repetition(every: every, times: Int(times)) == nil
      {
        faults.append(
          "alarms.repeatEvery of id \(id) is no duration of 1 minute to 1 day: it rings once")
      }
    }
    return faults
  }

  /// The channels that an operator should look at.
  public struct ChannelReport: Sendable {
    /// The number of channels.
    public var count = 0
    /// The channels whose last messages were not delivered, each with the reason.
    public var failing: [String] = []
    /// The number of deliveries that were given up, at most 100,000.
    public var dead = 0
    /// Since when the service itself cannot send to channels; `nil` if it can.
    public var cannotSendSince: Instant?
    /// Whether alarms are set, and no channel or device gets them.
    public var ringsOnlyInApp = false
  }

  /// Looks at the channels.
  public static func channels(_ connection: Connection) throws -> ChannelReport {
    var report = ChannelReport()
    let channels = try Channel.order { $0.id }.fetchAll(connection)
    let next = try AlarmRepository.next(connection)
    report.ringsOnlyInApp =
      (next.fireAt != nil || next.isStale)
      && !channels.contains { $0.isEnabled && $0.lostAt == nil && $0.sends(.alarmRinging) }
    for channel in channels {
      report.count += 1
      guard let since = channel.failingSince ?? channel.brokenAt else { continue }
      let state = channel.isEnabled || channel.kind == .push ? "" : ", and is disabled"
      let reason = channel.lastError ?? "the device has not shown its last alarms"
      report.failing.append(
        "channel \(channel.id) has failed since \(RFC3339.string(since))\(state): \(reason)")
    }
    report.dead = try DeliveryFigures.count(.dead, connection)
    report.cannotSendSince = try DeliveryFigures.cannotSendSince(connection)
    return report
  }

  /// The `CREATE` statement of a table of this version.
  static func definition(of name: String) throws -> String {
    guard let object = try freshObjects().first(where: { $0.name == name }) else {
      preconditionFailure("no migration makes \(name)")
    }
    return object.sql
  }

  /// The tables and indexes of an empty database of this version.
  private static func freshObjects() throws -> [SchemaObject] {
    let fresh = try Connection(location: .inMemory)
    var migrator = Migrator(migrations)
    migrator.parts = [CountedTables.part]
    _ = try migrator.migrate(fresh)
    return try objects(of: fresh)
  }

  private static func objects(of connection: Connection) throws(SQLiteError) -> [SchemaObject] {
    try connection.rows(
      """
      SELECT type, name, sql FROM main.sqlite_schema \
      WHERE type IN ('table', 'index') AND sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
      ORDER BY rowid
      """
    ).map {
      SchemaObject(type: $0[0].text ?? "", name: $0[1].text ?? "", sql: $0[2].text ?? "")
    }
  }

  private static var migrator: Migrator {
    var migrator = Migrator(migrations, triggers: triggers)
    migrator.adoptsOthers = false
    migrator.parts = [CountedTables.part]
    migrator.tables = tables
    return migrator
  }
}
