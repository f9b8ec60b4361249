import MartletHTTP
import MartletLiveQueries
import MartletSQLite
import MartletStore

/// Something that happened in a service, for logs and metrics.
public enum ServiceEvent: Sendable {
  case store(StoreEvent)
  case liveQuery(LiveQueryEvent)
  case request(APIEvent)
  case key(Gate.Event)
  /// The file was found to be damaged. It is told once: the damage stays until an operator mends it.
  case damaged(SQLiteError)
  /// As far as ``HTTPServer/Configuration/interests`` names them.
  case server(ServerEvent)

  /// Tells on standard error what went wrong.
  @Sendable public static func log(_ event: ServiceEvent) {
    switch event {
    case .store(let event): StoreEvent.log(event)
    case .liveQuery(let event): LiveQueryEvent.log(event)
    case .request(let event): APIEvent.log(event)
    case .key(let event): Gate.Event.log(event)
    case .damaged(let error):
      StandardError.print("the database is damaged, restore a backup: \(error)")
    case .server: break
    }
  }
}
