import MartletSQLite

/// How a database is opened: its limits, and what runs on each new connection.
///
/// ```swift
/// var configuration = Configuration()
/// configuration.prepareDatabase { db in
///   db.add(function: $createDefaultRemindersList)
/// }
/// let database = try EmbeddedDatabase(path: "app.db", configuration: configuration)
/// ```
public struct Configuration: Sendable {
  /// The limits of the database.
  public var settings: Settings
  /// Whether foreign keys are enforced (https://sqlite.org/foreignkeys.html#fk_enable). The default
  /// is `true`.
  public var foreignKeysEnabled = true
  private var preparations: [@Sendable (Connection) throws -> Void] = []
  private var additions: [@Sendable (Connection) throws -> Void] = []

  /// Creates a configuration with no connection setup.
  public init(settings: Settings = Settings()) { self.settings = settings }

  /// How long a write waits for a lock held by another program. The default is 5 seconds.
  public var busyTimeout: Duration {
    get { settings.busyTimeout }
    set { settings.busyTimeout = newValue }
  }

  /// Adds setup that runs once on each connection before its first statement, including the readers
  /// and the migrator's connection. Closures run in the order they were added.
  ///
  /// Register functions and collations here. The tables may not exist yet.
  public mutating func prepareDatabase(
    _ prepare: @escaping @Sendable (Connection) throws -> Void
  ) {
    preparations.append(prepare)
  }

  /// Adds setup that runs on each connection of the opened database, after the closures of
  /// ``prepareDatabase(_:)``. The tables exist by then, so temporary triggers and views belong
  /// here.
  public mutating func prepareSchema(_ prepare: @escaping @Sendable (Connection) throws -> Void) {
    additions.append(prepare)
  }

  /// Runs the complete setup on one connection of the opened database.
  public func prepare(_ connection: Connection) throws {
    try prepareMigration(connection)
    for prepare in additions { try prepare(connection) }
  }

  /// Runs the setup for a connection that executes migrations: everything except the closures of
  /// ``prepareSchema(_:)``.
  public func prepareMigration(_ connection: Connection) throws {
    if !foreignKeysEnabled { try connection.pragma("foreign_keys", set: "OFF") }
    for prepare in preparations { try prepare(connection) }
  }
}

extension EmbeddedDatabase {
  /// Opens the file with this configuration. The file is created if it does not exist.
  public convenience init(
    path: String, configuration: Configuration,
    onEvent: @escaping @Sendable (StoreEvent) -> Void = StoreEvent.log
  ) throws {
    try self.init(
      path: path, settings: configuration.settings, prepare: { try configuration.prepare($0) },
      onEvent: onEvent)
  }
}
