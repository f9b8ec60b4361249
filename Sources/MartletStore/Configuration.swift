import MartletSQLite

/// How a database is opened: its limits, and what each of its connections gets first.
///
/// ```swift
/// var configuration = Configuration()
/// configuration.prepareDatabase { db in
///   db.add(function: $createDefaultRemindersList)
/// }
/// let database = try EmbeddedDatabase(path: "app.db", configuration: configuration)
/// ```
public struct Configuration: Sendable {
  public var settings: Settings
  /// Whether foreign keys are enforced (https://sqlite.org/foreignkeys.html#fk_enable).
  public var foreignKeysEnabled = true
  private var preparations: [@Sendable (Connection) throws -> Void] = []
  private var additions: [@Sendable (Connection) throws -> Void] = []

  public init(settings: Settings = Settings()) { self.settings = settings }

  /// How long a write waits for another program's.
  public var busyTimeout: Duration {
    get { settings.busyTimeout }
    set { settings.busyTimeout = newValue }
  }

  /// Adds what is done once on each connection, readers and the migrator's included, before its first statement:
  /// functions and collations, in the order of the calls. There may be no tables yet.
  public mutating func prepareDatabase(
    _ prepare: @escaping @Sendable (Connection) throws -> Void
  ) {
    preparations.append(prepare)
  }

  /// Adds what is done on each connection of the opened database after that, when the tables are there: temporary triggers
  /// and views.
  public mutating func prepareSchema(_ prepare: @escaping @Sendable (Connection) throws -> Void) {
    additions.append(prepare)
  }

  /// Does all that on one connection of the opened database.
  public func prepare(_ connection: Connection) throws {
    try prepareMigration(connection)
    for prepare in additions { try prepare(connection) }
  }

  /// Does what a connection needs that the tables are made on.
  public func prepareMigration(_ connection: Connection) throws {
    if !foreignKeysEnabled { try connection.pragma("foreign_keys", set: "OFF") }
    for prepare in preparations { try prepare(connection) }
  }
}

extension EmbeddedDatabase {
  /// Opens the file, which is made if it does not exist, as the configuration says.
  public convenience init(
    path: String, configuration: Configuration,
    onEvent: @escaping @Sendable (StoreEvent) -> Void = StoreEvent.log
  ) throws {
    try self.init(
      path: path, settings: configuration.settings, prepare: { try configuration.prepare($0) },
      onEvent: onEvent)
  }
}
