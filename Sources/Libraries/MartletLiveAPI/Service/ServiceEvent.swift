import MartletHTTP
import MartletLiveQueries
import MartletSQLite
import MartletStore

/// Something that happened in a service, for logs and metrics.
public enum ServiceEvent: Sendable {
  /// An event of the store.
  case store(StoreEvent)
  /// An event of the live queries.
  case liveQuery(LiveQueryEvent)
  /// An event of the API: a fault, a refused request or a cache hit.
  case request(APIEvent)
  /// An event of the gate.
  case key(Gate.Event)
  /// A scheduled task has thrown an error (``RunningService/schedule(every:_:)``).
  case taskFailed(any Error)
  /// The database file is damaged. Sent once, because the damage stays until an operator restores a
  /// backup.
  case damaged(SQLiteError)
  /// An event of the HTTP server, if `HTTPServer.Configuration.interests` includes it.
  case server(ServerEvent)

  /// Writes faults and refusals to standard error.
  @Sendable public static func log(_ event: ServiceEvent) {
    switch event {
    case .store(let event): StoreEvent.log(event)
    case .liveQuery(let event): LiveQueryEvent.log(event)
    case .request(let event): APIEvent.log(event)
    case .key(let event): Gate.Event.log(event)
    case .taskFailed(let error): StandardError.print("a scheduled task failed: \(error)")
    case .damaged(let error):
      StandardError.print("the database file is damaged, restore a backup: \(error)")
    case .server: break
    }
  }
}
