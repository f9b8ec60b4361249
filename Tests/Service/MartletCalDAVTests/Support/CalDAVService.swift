import Foundation
import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletLiveQueries
import MartletReminders
import MartletRemindersAPI
import MartletStore
import MartletTime
import MartletXML
import TestSupport
import Testing

@testable import MartletCalDAV

/// The JSON API and CalDAV on one database, with a real socket and file. The clock stands at
/// Friday, 2026-11-20, 12:00 UTC.
final class CalDAVService {
  let port: UInt16
  let database: EmbeddedDatabase
  let time: TestClock
  private let server: HTTPServer
  private let folder: TemporaryFolder
  private var connection: RawClient

  init(
    keys: Bool = false, zone: String = "Europe/Vienna", limits: APISettings = APISettings(),
    in folder: TemporaryFolder? = nil
  ) throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    let path = folder.file("reminders.db")
    try RemindersDatabase.migrate(path: path)
    var store = Configuration()
    store.loopReaders = 1
    store.changeTable = RemindersDatabase.changeTable
    database = try EmbeddedDatabase(
      path: path, configuration: store, prepare: { LiveQueries.prepare($0) })
    time = TestClock(try RFC3339.parse("2026-11-20T12:00:00Z"))
    let agenda = Agenda(time.clock)
    let api = API(
      database: database, live: LiveQueries(database, agenda: agenda), clock: time.clock,
      settings: limits,
      gate: keys ? try Gate(database, agenda: agenda) : nil,
      translate: RemindersAPI.problem(of:))
    let house = try ZoneDatabase.system.zone(named: zone)
    var reminders = RemindersAPI.Settings()
    reminders.zone = house
    reminders.fixedAlarms = .none
    var settings = CalDAV.Settings()
    settings.zone = house
    var router = Router()
    try api.register(RemindersAPI.routes(reminders) + CalDAV.routes(settings), on: &router)
    var configuration = HTTPServer.Configuration()
    configuration.host = "127.0.0.1"
    configuration.loops = 1
    server = try HTTPServer(configuration: configuration, router: router)
    port = try server.start()
    connection = try RawClient(port: port)
  }

  deinit {
    server.stop()
    database.close()
  }

  /// Sends a request. No answer is ever a 500.
  @discardableResult
  func send(
    _ method: String, _ path: String, _ fields: [(String, String)] = [], _ body: String? = nil
  ) throws -> RawResponse {
    let answer: RawResponse
    do {
      answer = try connection.request(method, path, fields, body: body)
    } catch {
      connection = try RawClient(port: port)
      answer = try connection.request(method, path, fields, body: body)
    }
    #expect(answer.status < 500 || answer.status == 507, "\(method) \(path): \(answer.text)")
    return answer
  }

  @discardableResult
  func put(
    _ path: String, _ text: String, _ fields: [(String, String)] = []
  ) throws -> RawResponse {
    try send("PUT", path, [("Content-Type", "text/calendar; charset=utf-8")] + fields, text)
  }

  func text(_ path: String) throws -> String { try send("GET", path).text }

  func json(_ path: String) throws -> [String: Any] { try send("GET", path).json }

  @discardableResult
  func patch(_ path: String, _ body: String) throws -> RawResponse {
    try send("PATCH", path, [("Content-Type", "application/json")], body)
  }

  /// The reminders, by title.
  func reminders() throws -> [String: [String: Any]] {
    let items = try send("GET", "/v1/reminders?limit=100").items
    return Dictionary(
      items.map { ($0["title"] as? String ?? "", $0) }, uniquingKeysWith: { one, _ in one })
  }

  func propfind(
    _ path: String, depth: Int = 0, _ names: String, _ fields: [(String, String)] = []
  ) throws -> Answer {
    let body = """
      <?xml version="1.0"?><d:propfind xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" \
      xmlns:cs="http://calendarserver.org/ns/" xmlns:a="http://apple.com/ns/ical/">\
      <d:prop>\(names)</d:prop></d:propfind>
      """
    return try Answer(send("PROPFIND", path, [("Depth", "\(depth)")] + fields, body))
  }

  func report(_ path: String, _ body: String, depth: Int = 1) throws -> Answer {
    try Answer(send("REPORT", path, [("Depth", "\(depth)")], Self.namespaces(body)))
  }

  /// Declares `d`, `c`, `cs` and `a` in the first element.
  static func namespaces(_ body: String) -> String {
    guard let end = body.firstIndex(where: { $0 == ">" || $0 == " " }) else { return body }
    return body[..<end]
      + """
       xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" \
      xmlns:cs="http://calendarserver.org/ns/" xmlns:a="http://apple.com/ns/ical/"
      """ + body[end...]
  }

  static func namespaced(_ body: String) -> String { namespaces(body) }

  /// The text of an object, for a comparison.
  static func sorted(_ object: [String: Any]) throws -> String {
    String(
      decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys),
      as: UTF8.self)
  }

  /// A text with one to-do of these lines.
  static func todo(_ uid: String, _ lines: String...) -> String { todo(uid, lines) }

  /// The same, with components such as VTIMEZONE before it.
  static func todo(_ uid: String, _ lines: [String], after before: [String] = []) -> String {
    (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN"] + before
      + ["BEGIN:VTODO", "UID:\(uid)"] + lines + ["END:VTODO", "END:VCALENDAR", ""])
      .joined(separator: "\r\n")
  }
}

/// A 207 that was parsed.
struct Answer {
  let raw: RawResponse
  private let root: XMLElement?

  init(_ response: RawResponse) throws {
    raw = response
    root =
      response.status == 207
      ? try response.body.withUnsafeBufferPointer { try XMLReader.parse($0) } : nil
  }

  var status: Int { raw.status }
  var responses: [XMLElement] { root?.all(DAVName.dav("response")) ?? [] }
  var hrefs: [String] { responses.compactMap { $0.first(DAVName.dav("href"))?.text } }
  var token: String? { root?.first(DAVName.dav("sync-token"))?.text }

  func response(_ href: String) -> XMLElement? {
    responses.first { $0.first(DAVName.dav("href"))?.text == href }
  }

  /// The status of a response outside of its properties.
  func status(_ href: String) -> String? {
    response(href)?.first(DAVName.dav("status"))?.text
  }

  /// A property with the status 200.
  func value(_ href: String, _ name: XMLName) -> XMLElement? {
    let found = response(href)?.all(DAVName.dav("propstat")).first {
      $0.first(DAVName.dav("status"))?.text == "HTTP/1.1 200 OK"
    }
    return found?.first(DAVName.dav("prop"))?.first(name)
  }

  func dav(_ href: String, _ name: String) -> XMLElement? { value(href, DAVName.dav(name)) }
  func caldav(_ href: String, _ name: String) -> XMLElement? { value(href, DAVName.caldav(name)) }
  func ctag(_ href: String) -> String? {
    value(href, XMLName(DAVName.server, "getctag"))?.text
  }
}
