import MartletLiveAPI
import MartletReminders
import MartletTime

extension QueryParameters {
  /// `limit`, `cursor`, `total`: on every collection that has pages.
  mutating func page() throws(APIProblem) -> PageRequest {
    var page = onePage()
    page.cursor = try cursor()
    return page
  }

  /// `limit`, `total`: of what has one page.
  mutating func onePage() -> PageRequest {
    var page = PageRequest()
    page.limit = integer("limit", in: PageRequest.limits) ?? PageRequest.defaultLimit
    page.wantsTotal = bool("total") ?? false
    return page
  }

  /// `timeZone`: decides what today is; without it the service's own zone does.
  mutating func timeZone(_ context: Context) -> ZoneInfo {
    guard let name = string("timeZone") else { return context.settings.timeZone }
    do throws(ZoneProblem) {
      return try ZoneDatabase.system.zone(named: name)
    } catch {
      fail("timeZone", "expected a name such as Europe/Vienna: \(error)")
      return .utc
    }
  }
}
