import Glibc
import MartletCluster
import MartletHTTP
import MartletLiveAPI
import MartletReminders
import MartletSQLite
import MartletStore

/// A condition that must hold for `serve` to start.
///
/// `serve` runs ``beforeMigration`` and then migrates. `doctor` and `config` run ``all``, in which
/// the migration is rehearsed. No check changes anything. A new reason for `serve` to refuse to
/// start must be added here as a check.
struct StartCheck: Sendable {
  /// Returns a line for `doctor`, or `nil`. Throws the error that `serve` would end with.
  let run: @Sendable (ServeSettings) throws -> String?

  /// The checks that `serve` runs before it migrates, in order.
  static let beforeMigration = [
    databasePlace, databaseFound, backupFolder, cluster, callers, descriptors, address,
  ]
  /// All checks, including the rehearsed migration.
  static let all = beforeMigration + [migration]

  private static let databasePlace = StartCheck {
    try DatabaseFile.checkWritable($0.database)
    return "\($0.database) can be written"
  }

  private static let databaseFound = StartCheck { settings in
    // The file comes from another node.
    if let cluster = settings.cluster, case .join = cluster.beginning { return nil }
    if let trouble = DatabaseTrouble.lost(settings) { throw UsageError(trouble) }
    return nil
  }

  private static let backupFolder = StartCheck { settings in
    guard let folder = settings.backups?.folder else { return nil }
    do { try Folder.checkWritable(folder) } catch { throw Failure("--backup-dir: \(error)") }
    return "backups can be written to \(folder)"
  }

  /// The check of a node of a cluster.
  private static let cluster = StartCheck { settings in
    guard let cluster = settings.cluster else {
      // Reads the file if it exists.
      _ = try DatabaseFile.mayBegin(settings.database, nil)
      return nil
    }
    let version: Int
    do { version = try ClusterNode.libraryVersion() } catch {
      throw Failure("--cluster-address: \(error)")
    }
    try Folder.checkWritable(DurableFile.folder(of: cluster.folder))
    // A node that fails later may have joined already.
    for (name, address) in [("address", cluster.address), ("http", cluster.http)] {
      do throws(SystemError) {
        _ = try HTTPServer.tryAddress(host: address.host, port: address.port)
      } catch {
        // `doctor` beside the running node, or a second `serve`, which another check refuses.
        if PortOwner.hasOpen(settings.database, listeningOn: address.port) { continue }
        throw Failure(
          "--cluster-\(name) \(address): \(error): it must be an address of this machine, and free")
      }
    }
    return "the log of the cluster is at \(cluster.address), with libdqlite \(version)"
  }

  /// Other machines must not reach a server without API keys.
  private static let callers = StartCheck { settings in
    guard settings.withoutKeys == .nobody else { return nil }
    if settings.makesFirstKey { return "requests to \(settings.host) need an API key" }
    if Folder.exists(settings.database) { return nil }
    // The keys come from the other nodes, and without any no request is answered.
    if settings.cluster != nil, access(settings.database, F_OK) != 0 { return nil }
    guard try FirstKey.exists(settings.database) else {
      throw UsageError(
        """
        --host \(settings.host) can be reached from other machines, and there are no API keys: every client could \
        read and write everything. Create a key first with martlet key create, let serve create one with \
        --first-key, or allow access without keys with --allow-no-keys
        """)
    }
    return "requests to \(settings.host) need an API key"
  }

  /// Descriptors for the event loops and database connections, and some for clients and backups.
  private static let descriptors = StartCheck { settings in
    let needed = 32 + 8 * settings.loopCount + 4 * settings.bounds.store.workerReaders
    guard DescriptorLimit.hard >= needed else {
      throw Failure(
        """
        the process may open at most \(Count(DescriptorLimit.hard, "file")), but needs at least \(needed): \
        raise the hard limit (ulimit -Hn, LimitNOFILE=)
        """)
    }
    return nil
  }

  private static let address = StartCheck { settings in
    do throws(SystemError) {
      _ = try HTTPServer.tryAddress(host: settings.host, port: settings.port)
    } catch {
      throw ListenFailure(error, settings)
    }
    return settings.port == 0
      ? "a free port of \(settings.host) can be used"
      : "port \(settings.port) of \(settings.host) is free"
  }

  private static let migration = StartCheck { settings in
    guard access(settings.database, F_OK) == 0 else {
      // The check for a lost file has reported it.
      if DatabaseTrouble.lost(settings) != nil { return nil }
      return "no database at \(settings.database) yet; serve creates it"
    }
    // The first check has reported it.
    if Folder.exists(settings.database) { return nil }
    let report = try RemindersDatabase.rehearseMigration(path: settings.database)
    if report.applied.isEmpty { return "the schema is up to date" }
    let names = report.applied.map { "\($0)" }.joined(separator: ", ")
    return "the next start of the server migrates the schema: \(names)"
  }
}

/// Why the server cannot listen, with what to change.
struct ListenFailure: Error, CustomStringConvertible {
  let description: String
  /// Whether the port is taken by a server of the same database, which therefore is already
  /// running.
  let isRunning: Bool

  init(_ error: SystemError, _ settings: ServeSettings) {
    isRunning =
      error.code == EADDRINUSE
      && PortOwner.hasOpen(settings.database, listeningOn: settings.port)
    let advice =
      switch error.code {
      case EADDRINUSE: "choose another port with --port N, or a free one with --port 0"
      case EACCES:
        "ports below 1024 need the capability CAP_NET_BIND_SERVICE; choose another port with --port N"
      default: "--host must be an address of this machine"
      }
    description = "\(error): \(advice)"
  }
}
