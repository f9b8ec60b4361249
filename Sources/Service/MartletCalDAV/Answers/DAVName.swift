import MartletXML

/// The names of WebDAV and CalDAV.
enum DAVName {
  static let dav = "DAV:"
  static let caldav = "urn:ietf:params:xml:ns:caldav"
  static let server = "http://calendarserver.org/ns/"
  static let apple = "http://apple.com/ns/ical/"

  static let martlet = "urn:martlet"

  /// The prefixes that each document declares.
  static let prefixes = [dav: "D", caldav: "C", server: "CS", apple: "A", martlet: "M"]

  static func dav(_ name: String) -> XMLName { XMLName(dav, name) }
  static func caldav(_ name: String) -> XMLName { XMLName(caldav, name) }
}
