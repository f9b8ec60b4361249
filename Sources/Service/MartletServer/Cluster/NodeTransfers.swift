import MartletHTTP
import MartletJSON
import MartletReminders
import MartletRemindersAPI
import MartletStore
import MartletTime

/// The requests of `martlet import` and `martlet seed` to the primary, if their database belongs to
/// a cluster.
enum NodeTransfers {
  /// The largest file to import: its changes must be one entry of the log.
  static let importLimit = RowEntry.sizeLimit

  static func addRoutes(to router: inout Router, _ database: EmbeddedDatabase) {
    router.on(.post, NodeServer.pattern("/cluster/import"), bodyLimit: importLimit) { request, _ in
      NodeOperations.run {
        guard
          let format = NodeServer.parameter("format", request).flatMap({
            TransferFormat(rawValue: $0)
          }),
          let zone = try NodeServer.parameter("zone", request).map({
            try ZoneDatabase.system.zone(named: $0)
          })
        else { throw Failure("the parameters format and zone are missing") }
        var lines = MemoryLines(request.body)
        do {
          let updates = NodeServer.parameter("update", request) == "true"
          return try Import.insert(in: database, zone, updates: updates) {
            try format.read(&lines, house: zone, $0)
          } + "\n"
        } catch {
          throw Import.explained(error, "the file")
        }
      }
    }
    router.on(.post, NodeServer.pattern("/cluster/seed")) { request, _ in
      NodeOperations.run {
        guard let lists = NodeServer.parameter("lists", request).flatMap({ Int($0) }),
          let reminders = NodeServer.parameter("reminders", request).flatMap({ Int($0) }),
          let seed = NodeServer.parameter("seed", request).flatMap({ UInt64($0) })
        else { return try SeedData(large: nil).write(in: database) + "\n" }
        let large = Seed.Large(lists: lists, reminders: reminders, seed: seed)
        return try SeedData(large: large).write(in: database) + "\n"
      }
    }
  }

  /// The target of the request that imports a file.
  static func importTarget(
    _ format: TransferFormat, _ zone: ZoneInfo, updates: Bool
  ) -> String {
    // A plus sign would be a space in a query.
    let zone = zone.identifier.split(separator: "+", omittingEmptySubsequences: false)
      .joined(separator: "%2B")
    return "/cluster/import?format=\(format.rawValue)&zone=\(zone)&update=\(updates)"
  }

  /// The target of the request that adds data.
  static func seedTarget(_ data: SeedData) -> String {
    guard let large = data.large else { return "/cluster/seed" }
    return
      "/cluster/seed?lists=\(large.lists)&reminders=\(large.reminders)&seed=\(large.seed)"
  }
}
