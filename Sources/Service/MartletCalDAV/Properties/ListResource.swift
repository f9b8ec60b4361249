import MartletICalendar
import MartletReminders
import MartletTime
import MartletXML

/// A list as a calendar collection.
struct ListResource: DAVResource {
  let list: CalendarRepository.Collection
  /// The properties that clients have set and that are only kept.
  let dead: DeadProperties
  let token: CalendarRepository.Token
  let caller: Caller
  /// The zone of times that name none.
  let zone: ZoneInfo

  var href: String { DAVPath.list(list.name) }

  static let names =
    [
      "resourcetype", "displayname", "getetag", "getcontenttype", "getlastmodified",
      "creationdate", "current-user-principal", "owner", "current-user-privilege-set",
      "supported-report-set", "sync-token",
    ].map { DAVName.dav($0) }
    + ["supported-calendar-component-set", "supported-calendar-data"].map { DAVName.caldav($0) }
    + [
      XMLName(DAVName.server, "getctag"), XMLName(DAVName.apple, "calendar-color"),
      XMLName(DAVName.apple, "calendar-order"),
    ]

  var names: [XMLName] {
    ListResource.names + dead.names.filter { !ListResource.names.contains($0) }
  }

  /// The largest text of an object, in bytes.
  static let mostBytes = 1 << 20
  /// The largest number of occurrences of one object.
  static let mostOccurrences = 1_000

  func value(_ name: XMLName) -> PropertyWriter? {
    known(name) ?? SharedProperties.value(name, caller)
  }

  func kept(_ name: XMLName) -> XMLElement? { value(name) == nil ? dead[name] : nil }

  private func known(_ name: XMLName) -> PropertyWriter? {
    switch name.namespace {
    case DAVName.dav: dav(name.local)
    case DAVName.caldav: caldav(name.local)
    case DAVName.server:
      name.local == "getctag" ? { [token, zone] in $0.text(token.text(house: zone)) } : nil
    case DAVName.apple where name.local == "calendar-color":
      { [list] in $0.text(ListColor.textWithOpacity(list.color)) }
    case DAVName.apple where name.local == "calendar-order":
      dead[name] == nil
        ? { [list] in $0.text("\(list.position ?? 0)") } : nil
    default: nil
    }
  }

  private func dav(_ name: String) -> PropertyWriter? {
    switch name {
    case "resourcetype":
      return { writer in
        writer.empty(DAVName.dav("collection"))
        writer.empty(DAVName.caldav("calendar"))
      }
    case "displayname": return { [list] in $0.text(list.title) }
    case "getetag": return { [token, list, zone] in $0.text(token.tag(of: list, house: zone)) }
    case "getcontenttype": return { $0.text(CalendarFile.type) }
    case "getlastmodified": return SharedProperties.modified(list.updatedAt)
    case "creationdate": return SharedProperties.created(list.createdAt)
    case "current-user-privilege-set":
      return SharedProperties.privileges(mayWrite: caller.mayWrite, isList: true)
    case "supported-report-set":
      return SharedProperties.reports([
        DAVName.caldav("calendar-query"), DAVName.caldav("calendar-multiget"),
        DAVName.dav("sync-collection"), DAVName.caldav("free-busy-query"),
      ])
    case "sync-token": return { [token, zone] in $0.text(token.text(house: zone)) }
    default: return nil
    }
  }

  private func caldav(_ name: String) -> PropertyWriter? {
    switch name {
    // Without it clients put events here.
    case "supported-calendar-component-set":
      return { $0.empty(DAVName.caldav("comp"), [("name", "VTODO")]) }
    case "supported-calendar-data":
      return {
        $0.empty(
          DAVName.caldav("calendar-data"),
          [("content-type", "text/calendar"), ("version", "2.0")])
      }
    case "supported-collation-set":
      return { writer in
        for name in TextMatch.collations {
          writer.element(DAVName.caldav("supported-collation"), name)
        }
      }
    case "max-resource-size": return { $0.text("\(ListResource.mostBytes)") }
    case "min-date-time": return { $0.text("00010101T000000Z") }
    case "max-date-time": return { $0.text("99991231T235959Z") }
    case "max-instances": return { $0.text("\(ListResource.mostOccurrences)") }
    case "calendar-timezone":
      guard dead[DAVName.caldav(name)] == nil else { return nil }
      return { [zone] in $0.text(ListResource.text(of: zone)) }
    default: return nil
    }
  }

  /// The definition of a zone as a calendar.
  private static func text(of zone: ZoneInfo) -> String {
    let all = CalendarFile.head + ZoneWriter.lines(of: zone) + [CalendarFile.end, ""]
    return all.joined(separator: "\r\n")
  }
}
