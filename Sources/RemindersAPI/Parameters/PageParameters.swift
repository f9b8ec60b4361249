import LiveAPI
import Reminders
import Time

extension QueryParameters {
  /// `limit`, `cursor`, `total`: on every collection.
  mutating func page() throws(APIProblem) -> PageRequest {
    var page = PageRequest()
    page.limit = integer("limit", in: PageRequest.limits) ?? PageRequest.defaultLimit
    page.cursor = try cursor()
    page.wantsTotal = bool("total") ?? false
    return page
  }

  /// `timeZone`: decides what today is.
  mutating func timeZone() -> TimeZone {
    guard let name = string("timeZone") else { return .utc }
    do throws(ZoneProblem) {
      return try ZoneDatabase.system.zone(named: name)
    } catch {
      fail("timeZone", "expected a name such as Europe/Vienna: \(error)")
      return .utc
    }
  }
}
