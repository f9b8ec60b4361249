import MartletTime

/// The zones that the setting `time-zone` gives. Without it, reminders are in the zone of the
/// machine, and requests in UTC.
struct ZoneSetting {
  /// The zone of a reminder without one.
  let house: ZoneInfo
  /// The zone of a request without one.
  let requests: ZoneInfo
  /// Where the zone of the house comes from.
  let origin: String

  init(_ values: Values) throws {
    let name = values.text(.timeZone)
    guard name.isEmpty else {
      do throws(ZoneProblem) {
        house = try ZoneDatabase.system.zone(named: name)
      } catch {
        throw UsageError(
          "\(values.name(.timeZone)) must be a time zone such as Europe/Vienna: \(error)")
      }
      requests = house
      origin = "--time-zone"
      return
    }
    let local = ZoneDatabase.system.local()
    house = local ?? .utc
    requests = .utc
    origin =
      local == nil
      ? "neither TZ nor /etc/localtime names a zone; set --time-zone" : "of this machine"
  }
}
