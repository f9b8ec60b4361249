import Glibc
import MartletHTTP
import MartletLiveAPI
import MartletReminders
import MartletSQLite
import MartletStore

/// A condition without which `serve` does not start.
///
/// `serve` runs ``beforeMigration`` and then migrates; `doctor` and `config` run ``all``, in which the migration is a
/// rehearsal. No check changes anything. Whatever else would make `serve` refuse to start becomes a check here.
struct StartCheck: Sendable {
  /// Gives a line for `doctor`, `nil` where there is nothing to tell. Throws what `serve` ends with.
  let run: @Sendable (ServeSettings) throws -> String?

  /// In the order in which `serve` meets them.
  static let beforeMigration = [databasePlace, backupFolder, callers, descriptors, address]
  static let all = beforeMigration + [migration]

  private static let databasePlace = StartCheck {
    try DatabaseFile.tryOut($0.database)
    return "\($0.database) can be written"
  }

  private static let backupFolder = StartCheck { settings in
    guard let folder = settings.backups?.folder else { return nil }
    do { try Folder.tryOut(folder) } catch { throw Failure("--backup-dir: \(error)") }
    return "backups can be written to \(folder)"
  }

  /// Others must not reach a server that lets everybody do everything.
  private static let callers = StartCheck { settings in
    guard settings.withoutKeys == .nobody else { return nil }
    if settings.makesFirstKey { return "\(settings.host) is served to those who have a key" }
    if Folder.exists(settings.database) { return nil }
    guard try FirstKey.exists(settings.database) else {
      throw UsageError(
        """
        --host \(settings.host) can be reached by others, and there are no keys: everyone who reaches it could \
        read and write everything. Make a key first (martlet key create), or have one made (--first-key), or say \
        --allow-no-keys if that is meant
        """)
    }
    return "\(settings.host) is served to those who have a key"
  }

  /// Those that loops and connections to the database have, and some for clients and backups.
  private static let descriptors = StartCheck { settings in
    let needed = 32 + 8 * settings.loopCount + 4 * settings.bounds.store.workerReaders
    guard DescriptorLimit.hard >= needed else {
      throw Failure(
        """
        at most \(Count(DescriptorLimit.hard, "file")) may be open, and it needs \(needed) at least: \
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
      return "no database at \(settings.database) yet; serve makes it"
    }
    // The first check has told of it.
    if Folder.exists(settings.database) { return nil }
    let report = try RemindersDatabase.rehearseMigration(path: settings.database)
    if report.applied.isEmpty { return "the schema is this version's" }
    let names = report.applied.map { "\($0)" }.joined(separator: ", ")
    return "the next start migrates the schema: \(names)"
  }
}

/// Why the server cannot listen, with what to change.
struct ListenFailure: Error, CustomStringConvertible {
  let description: String
  /// The port is taken by a server of the same database: the service runs already.
  let isRunning: Bool

  init(_ error: SystemError, _ settings: ServeSettings) {
    isRunning =
      error.code == EADDRINUSE
      && PortOwner.hasOpen(settings.database, listeningOn: settings.port)
    let advice =
      switch error.code {
      case EADDRINUSE: "--port N takes another port, --port 0 a free one"
      case EACCES:
        "ports below 1024 need a privilege (CAP_NET_BIND_SERVICE); --port N takes another port"
      default: "--host is an address of this machine"
      }
    description = "\(error): \(advice)"
  }
}
