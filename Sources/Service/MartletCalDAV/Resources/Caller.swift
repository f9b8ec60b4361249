import MartletHTTP
import MartletLiveAPI
import MartletReminders
import MartletSQLite

/// The rights of a caller.
struct Caller: Sendable {
  /// The lists that it sees.
  let lists: ListExtent
  /// Whether it may write.
  let mayWrite: Bool

  init(_ request: Request) {
    lists = ListExtent(request.access.rights.parts)
    mayWrite = request.access.rights.scope >= .write
  }

  /// Whether it may make lists.
  var mayMakeLists: Bool { mayWrite && lists == .all }

  func checkWrite() throws {
    guard mayWrite else { throw DAVError.needsWrite }
  }

  /// The object with a path, and its list. Throws a 404 if the caller sees none there.
  func object(
    _ request: Request, _ db: Connection
  ) throws -> (list: CalendarRepository.Collection, entry: CalendarRepository.Entry) {
    guard let list = try list(request, db),
      let entry = try CalendarRepository.entry(request.parameter("file") ?? "", in: list.id, db)
    else { throw DAVError.notThere }
    return (list, entry)
  }

  /// The list with a path, if the caller sees it.
  func list(_ request: Request, _ db: Connection) throws -> CalendarRepository.Collection? {
    guard let name = request.parameter("name") else { return nil }
    return try CalendarRepository.collection(name, among: lists, in: db)
  }
}
