import MartletLiveAPI
import MartletReminders
import MartletTime

extension QueryParameters {
  /// Reads `limit`, `cursor` and `total`, the parameters of every paged collection.
  mutating func page() throws(APIProblem) -> PageRequest {
    var page = onePage()
    page.cursor = try cursor()
    return page
  }

  /// Reads `limit` and `total`, the parameters of a collection with a single page.
  mutating func onePage() -> PageRequest {
    var page = PageRequest()
    page.limit = integer("limit", in: PageRequest.limits) ?? PageRequest.defaultLimit
    page.wantsTotal = bool("total") ?? false
    return page
  }

  /// Reads `timeZone`, which defines today.
  ///
  /// The default is ``APISettings/timeZone``.
  mutating func timeZone(_ context: Context) -> ZoneInfo {
    timeZone(else: context.settings.timeZone)
  }

  /// The same with another default.
  mutating func timeZone(else zone: ZoneInfo) -> ZoneInfo {
    guard let name = string("timeZone") else { return zone }
    do throws(ZoneProblem) {
      return try ZoneDatabase.system.zone(named: name)
    } catch {
      let hint = QueryParameters.plusHint(name) {
        (try? ZoneDatabase.system.zone(named: $0)) != nil
      }
      fail("timeZone", "expected a time zone such as Europe/Vienna: \(error)\(hint)")
      return .utc
    }
  }
}
