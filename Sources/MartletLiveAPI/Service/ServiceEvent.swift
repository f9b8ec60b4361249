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
  @Sendable public static func tell(_ event: ServiceEvent) {
    switch event {
    case .store(let event): StoreEvent.tell(event)
    case .liveQuery(let event): LiveQueryEvent.tell(event)
    case .request(let event): APIEvent.tell(event)
    case .key(let event): Gate.Event.tell(event)
    case .damaged(let error):
      StandardError.tell("the database is damaged, restore a backup: \(error)")
    case .server: break
    }
  }
}
