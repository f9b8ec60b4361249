import MartletICalendar
import MartletReminders
import MartletSQLite
import MartletTime
import MartletXML

/// A reminder as a calendar object.
struct ObjectResource: DAVResource {
  let entry: CalendarRepository.Entry
  /// The path of its list.
  let parent: String
  let caller: Caller
  /// The zone of times that name none.
  let zone: ZoneInfo
  /// The text, which is made only if it is needed.
  let text: () throws -> String
  /// The wanted parts of the calendar text.
  var data: CalendarData?

  var href: String { "\(parent)\(DAVPath.encode(entry.name))" }

  static let type = "\(CalendarFile.type); component=VTODO"

  static let names =
    [
      "resourcetype", "getetag", "getcontenttype", "getlastmodified", "creationdate",
      "getcontentlength", "owner", "current-user-privilege-set", "supported-report-set",
    ].map { DAVName.dav($0) }

  var names: [XMLName] { ObjectResource.names }

  func value(_ name: XMLName) throws -> PropertyWriter? {
    if name.namespace == DAVName.caldav, name.local == "calendar-data", let data {
      return try data.apply(to: try text()).map { text in { $0.text(text) } }
    }
    guard name.namespace == DAVName.dav else { return nil }
    switch name.local {
    case "resourcetype": return { _ in }
    case "getetag": return { [entry, zone] in $0.text(entry.tag(house: zone)) }
    case "getcontenttype": return { $0.text(ObjectResource.type) }
    case "getlastmodified": return SharedProperties.modified(entry.updatedAt)
    case "creationdate": return SharedProperties.created(entry.createdAt)
    case "getcontentlength":
      let count = try text().utf8.count
      return { $0.text("\(count)") }
    case "current-user-privilege-set":
      return SharedProperties.privileges(mayWrite: caller.mayWrite, isList: false)
    case "supported-report-set":
      return SharedProperties.reports([
        DAVName.caldav("calendar-query"), DAVName.caldav("calendar-multiget"),
      ])
    default: return SharedProperties.value(name, caller)
    }
  }
}
