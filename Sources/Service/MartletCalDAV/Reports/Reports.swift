import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletReminders
import MartletSQLite
import MartletTime
import MartletXML

/// Answers REPORT (RFC 3253 section 3.6).
enum Reports {
  static func ofPrincipals(_ request: Request) throws -> ExchangeRoute.Work {
    switch try request.xml()?.name {
    case DAVName.dav("principal-property-search"):
      return .answer(Multistatus.response { _ in })
    case DAVName.dav("principal-search-property-set"):
      let body = ByteBuffer(capacity: 256)
      XMLWriter.document(
        DAVName.dav("principal-search-property-set"), prefixes: DAVName.prefixes, into: body
      ) { _ in }
      return .answer(Response(.ok, DAVAnswer.fields(xml: true), body: .shared(body.share())))
    default: throw unsupported
    }
  }

  private static let unsupported = DAVError.refusal(
    .forbidden, DAVName.dav("supported-report"), "This report is not supported here.")

  static func ofList(_ request: Request, _ settings: CalDAVSettings) throws -> ExchangeRoute.Work {
    let report = try Report(request, settings)
    switch report.body.name {
    case DAVName.caldav("calendar-query"):
      let filter = try report.filter()
      return Multistatus.document { db, answer in
        let list = try report.list(db)
        guard filter.verdict != false else { return }
        let entries = try CalendarRepository.entries(of: list.id, in: db)
        try answer.expect(entries.count, filter.verdict == true ? report.wanted : nil)
        try query(entries, of: list, filter, report.anew(), db, answer)
      }
    case DAVName.caldav("calendar-multiget"):
      return Multistatus.document { db, answer in
        try multiget(of: try report.list(db), report.anew(), db, answer)
      }
    case DAVName.dav("sync-collection"):
      let sync = try SyncRequest(report.body, house: settings.zone)
      return Multistatus.document { try self.sync(sync, report.anew(), $0, $1) }
    case DAVName.caldav("free-busy-query"): return .answer(try freeBusy(report.body))
    case DAVName.dav("principal-property-search"), DAVName.dav("principal-search-property-set"):
      return try ofPrincipals(request)
    default: throw unsupported
    }
  }

  /// A report on one object (RFC 4791 section 7).
  static func ofObject(_ request: Request, _ settings: CalDAVSettings) throws -> ExchangeRoute.Work
  {
    let report = try Report(request, settings)
    switch report.body.name {
    case DAVName.caldav("calendar-query"):
      let filter = try report.filter()
      return Multistatus.document { db, answer in
        let (list, entry) = try report.caller.object(request, db)
        guard filter.verdict != false else { return }
        try query([entry], of: list, filter, report.anew(), db, answer)
      }
    case DAVName.caldav("calendar-multiget"):
      return Multistatus.document { db, answer in
        let (list, entry) = try report.caller.object(request, db)
        try multiget(of: list, only: entry.id, report.anew(), db, answer)
      }
    default: throw unsupported
    }
  }

  /// A report that a client asks for: its body, its caller, and the properties of each object.
  private struct Report {
    let request: Request
    let settings: CalDAVSettings
    let caller: Caller
    let body: XMLElement
    let wanted: WantedProperties
    var data: CalendarData?

    init(_ request: Request, _ settings: CalDAVSettings) throws {
      guard let body = try request.xml() else {
        throw DAVError.badRequest("A REPORT needs a body that names the report.")
      }
      // One of a few names for the metric.
      let known = ["calendar-query", "calendar-multiget", "sync-collection", "free-busy-query"]
      settings.onRequest("REPORT", known.contains(body.name.local) ? body.name.local : "other")
      (self.request, self.settings, self.body) = (request, settings, body)
      caller = Caller(request)
      wanted = try WantedProperties(body, request)
      data = try wanted.calendarData.map { try CalendarData($0, zone: settings.zone) }
    }

    /// The same for another answer.
    func anew() -> Report {
      var copy = self
      copy.data = data?.anew()
      return copy
    }

    func filter() throws -> ObjectFilter {
      try ObjectFilter(body.first(DAVName.caldav("filter")), zone: TimeZoneText.zone(of: body))
    }

    func list(_ db: Connection) throws -> CalendarRepository.Collection {
      guard let list = try caller.list(request, db) else { throw DAVError.notThere }
      return list
    }

    func object(
      _ entry: CalendarRepository.Entry, _ list: CalendarRepository.Collection, _ db: Connection
    ) -> ObjectResource {
      Finding.object(entry, list, caller, settings, db, data: data)
    }
  }

  private static func query(
    _ entries: some Sequence<CalendarRepository.Entry>, of list: CalendarRepository.Collection,
    _ filter: ObjectFilter, _ report: Report, _ db: Connection, _ answer: Multistatus
  ) throws {
    let isSure = filter.verdict != nil
    var (report, zone) = (report, report.settings.zone)
    if !isSure || report.data?.isExpanded == true {
      zone = try filter.zone ?? TimeZoneText.zone(of: list) ?? zone
      report.data?.zone = zone
    }
    for entry in entries {
      try answer.next()
      let object = report.object(entry, list, db)
      if !isSure, try !filter.matches(try object.text(), zone: zone, answer.check) { continue }
      if let data = report.data, data.isExpanded, !data.hasPart(of: try object.text()) { continue }
      try answer.write(object, report.wanted)
    }
  }

  /// - Parameter only: The object that paths can name; without one, all of the list.
  private static func multiget(
    of list: CalendarRepository.Collection, only: Int? = nil, _ report: Report, _ db: Connection,
    _ answer: Multistatus
  ) throws {
    var report = report
    if report.data?.isExpanded == true, let zone = try TimeZoneText.zone(of: list) {
      report.data?.zone = zone
    }
    // Each once, so that an answer is not larger than the list.
    var missing: Set<[UInt8]> = []
    var found: Set<Int> = []
    let paths = report.body.all(DAVName.dav("href")).map(\.text.trimmed)
    try answer.expect(paths.count, report.wanted)
    for start in stride(from: 0, to: paths.count, by: atOnce) {
      let named = paths[start..<min(start + atOnce, paths.count)].map { path in
        let parsed = DAVPath.parse(path)
        let isHere = parsed?.list.utf8.elementsEqual(list.name.utf8) == true
        return (path: path, name: isHere ? parsed?.object : nil)
      }
      let entries = try CalendarRepository.entries(named.compactMap(\.name), in: list.id, db)
      for (path, name) in named {
        try answer.next()
        if let name, let entry = entries[Array(name.utf8)], only == nil || only == entry.id {
          guard found.insert(entry.id).inserted else { continue }
          try answer.write(report.object(entry, list, db), report.wanted)
        } else if missing.insert(Array(path.utf8)).inserted {
          answer.write(path, status: Multistatus.notFound)
        }
      }
    }
  }

  /// How many paths of a calendar-multiget are looked up at once.
  private static let atOnce = 100

  // MARK: Sync (RFC 6578)

  private struct SyncRequest {
    let token: CalendarRepository.Token?
    let limit: Int

    init(_ body: XMLElement, house: ZoneInfo) throws {
      let text = body.first(DAVName.dav("sync-token"))?.text.trimmed ?? ""
      token = CalendarRepository.Token(text, house: house)
      guard text.isEmpty || token != nil else { throw Reports.wrongToken }
      let number = body.first(DAVName.dav("limit"))?.first(DAVName.dav("nresults"))?.text.trimmed
      if let number {
        guard let limit = Int(number), limit > 0 else {
          throw DAVError.badRequest("nresults must be a number of at least 1.")
        }
        self.limit = limit
      } else {
        limit = .max
      }
    }
  }

  private static let wrongToken = DAVError.refusal(
    .forbidden, DAVName.dav("valid-sync-token"),
    "The changes since this token are not known any more. Begin without a token.")

  private static func sync(
    _ sync: SyncRequest, _ report: Report, _ db: Connection, _ answer: Multistatus
  ) throws {
    let list = try report.list(db)
    guard
      let page = try CalendarRepository.changes(
        of: list.id, after: sync.token, limit: sync.limit, in: db)
    else { throw wrongToken }
    try answer.expect(page.lines.count, report.wanted)
    for line in page.lines {
      try answer.next()
      if line.isGone {
        answer.write(DAVPath.object(line.entry.name, in: list.name), status: Multistatus.notFound)
      } else {
        try answer.write(report.object(line.entry, list, db), report.wanted)
      }
    }
    if page.isCut {
      answer.write(
        DAVPath.list(list.name), status: Multistatus.cut,
        DAVName.dav("number-of-matches-within-limits"))
    }
    answer.write(page.token.text(house: report.settings.zone))
  }

  /// Reminders take no time.
  private static func freeBusy(_ body: XMLElement) throws -> Response {
    guard let range = body.first(DAVName.caldav("time-range")) else {
      throw DAVError.badRequest("free-busy-query needs a time-range.")
    }
    _ = try TimeRange(range)
    var lines = CalendarFile.head + ["BEGIN:VFREEBUSY"]
    for (name, attribute) in [("DTSTART", "start"), ("DTEND", "end")] {
      if let time = range.attribute(attribute) { lines.append("\(name):\(time)") }
    }
    lines += ["END:VFREEBUSY", CalendarFile.end, ""]
    var fields = DAVAnswer.fields()
    fields.append("Content-Type", CalendarFile.type)
    return Response(.ok, fields, body: .text(lines.joined(separator: "\r\n")))
  }
}
