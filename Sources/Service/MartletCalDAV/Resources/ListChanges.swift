import MartletHTTP
import MartletLiveAPI
import MartletReminders
import MartletSQLite
import MartletXML

/// Answers PROPPATCH, MKCALENDAR, MKCOL and DELETE of lists.
enum ListChanges {
  /// A property that is to be set, or removed.
  private struct Step: Sendable {
    let property: XMLElement
    let isRemoval: Bool
  }

  /// The properties that a request sets, and the ones that it may not.
  private struct Outcome {
    var values = ListRepository.Values()
    var dead: DeadProperties
    /// The properties to be stored, as XML.
    var text: String?
    var results: [(name: XMLName, status: String)] = []
    var isRefused = false
  }

  /// The largest number of properties of a request.
  private static let mostSteps = 200

  /// Properties that no client sets.
  private static let protected: Set<XMLName> = Set(
    [
      "resourcetype", "getetag", "getcontenttype", "getcontentlength", "getlastmodified",
      "creationdate", "current-user-principal", "owner", "principal-URL",
      "principal-collection-set", "current-user-privilege-set", "supported-report-set",
      "sync-token", "supportedlock", "lockdiscovery",
    ].map { DAVName.dav($0) }
      + [
        "supported-calendar-component-set", "supported-calendar-data", "supported-collation-set",
        "max-resource-size", "min-date-time", "max-date-time", "max-instances",
      ].map { DAVName.caldav($0) } + [XMLName(DAVName.server, "getctag")])

  static func set(
    _ request: Request, _ settings: CalDAVSettings
  ) throws -> ExchangeRoute.Work {
    let caller = Caller(request)
    try caller.checkWrite()
    let steps = try steps(request)
    let conditions = try Conditions(request)
    return .write { db, _ in
      guard let list = try caller.list(request, db) else { throw DAVError.notThere }
      try conditions.check(try Conditions.State(list, settings, db), caller, settings, db)
      let outcome = try apply(steps, to: list.name, DeadProperties(list.properties))
      guard !outcome.isRefused else {
        // All or nothing (RFC 4918 section 9.2).
        let results = outcome.results.map { result in
          (result.name, result.status == ok ? "424 Failed Dependency" : result.status)
        }
        return Multistatus.response { $0.write(DAVPath.list(list.name), results) }
      }
      try ListRepository.update(list.id, outcome.values, in: db)
      if outcome.text != list.properties {
        try CalendarRepository.set(properties: outcome.text, of: list.id, in: db)
      }
      return Multistatus.response { $0.write(DAVPath.list(list.name), outcome.results) }
    }
  }

  /// Answers for a resource whose properties no client sets.
  static func refuse(_ request: Request) throws -> ExchangeRoute.Work {
    try Caller(request).checkWrite()
    return .answer(try refusal(request))
  }

  /// The same for an object.
  static func refuseForObject(_ request: Request) throws -> ExchangeRoute.Work {
    let caller = Caller(request)
    try caller.checkWrite()
    let refusal = try refusal(request)
    return .read { db in
      _ = try caller.object(request, db)
      return refusal
    }
  }

  private static func refusal(_ request: Request) throws -> Response {
    let results = try steps(request).map { ($0.property.name, forbidden) }
    return Multistatus.response { $0.write(request.path, results) }
  }

  private static func steps(_ request: Request) throws -> [Step] {
    guard let body = try request.xml(), body.name == DAVName.dav("propertyupdate") else {
      throw DAVError.badRequest("The body of PROPPATCH must be a propertyupdate element.")
    }
    let names = [DAVName.dav("set"), DAVName.dav("remove")]
    let steps = steps(in: body, names)
    try checkCount(steps)
    for step in steps where step.property.name == DAVName.caldav("calendar-timezone") {
      if !step.isRemoval { try TimeZoneText.check(step.property.text) }
    }
    return steps
  }

  /// The steps of elements with these names. A property has the language of what it is in (RFC 4918
  /// section 4.3).
  private static func steps(in body: XMLElement, _ names: [XMLName]) -> [Step] {
    func inherit(_ outer: XMLElement, _ inner: XMLElement) -> XMLElement {
      var inner = inner
      let name = XMLName.language
      inner.attributes[name] = inner.attributes[name] ?? outer.attributes[name]
      return inner
    }
    return body.children.filter { names.contains($0.name) }.flatMap { part -> [Step] in
      let outer = inherit(body, part)
      return part.all(DAVName.dav("prop")).flatMap { prop in
        let prop = inherit(outer, prop)
        return prop.children.map {
          Step(property: inherit(prop, $0), isRemoval: part.name == DAVName.dav("remove"))
        }
      }
    }
  }

  /// Throws if there are too many. They are set inside the write, for which all others wait.
  private static func checkCount(_ steps: [Step]) throws {
    guard steps.count <= mostSteps else {
      throw DAVError.refusal(
        .insufficientStorage, nil, "A request sets at most \(mostSteps) properties.")
    }
  }

  private static let ok = "200 OK"
  private static let forbidden = "403 Forbidden"

  /// Applies the steps to a list. A title or a color that is removed gets its default: the name in
  /// the path, and the color of new lists.
  private static func apply(
    _ steps: [Step], to path: String, _ dead: DeadProperties, isNew: Bool = false
  ) -> Outcome {
    var outcome = Outcome(dead: dead)
    // The steps that need room.
    var kept: Set<Int> = []
    for step in steps {
      let name = step.property.name
      var status = ok
      if name == DAVName.dav("displayname") {
        outcome.values.title = title(step.isRemoval ? path : step.property.text)
      } else if name == XMLName(DAVName.apple, "calendar-color") {
        let text = step.property.text.trimmed
        if step.isRemoval {
          outcome.values.color = RemindersList.defaultColor
        } else if let color = ListColor.parseWithOpacity(text) {
          outcome.values.color = color
        } else if !text.isEmpty, !isNew {
          // It would hide the color of the list from then on.
          status = "409 Conflict"
        }
      } else if protected.contains(name) {
        if !isNew { status = forbidden }
      } else if step.isRemoval {
        outcome.dead.remove(name)
      } else {
        outcome.dead.set(step.property)
        kept.insert(outcome.results.count)
      }
      outcome.results.append((name, status))
    }
    outcome.text = outcome.dead.text
    if outcome.text?.utf8.count ?? 0 > DeadProperties.mostBytes {
      for index in kept { outcome.results[index].status = Multistatus.cut }
    } else if (try? DeadProperties(outcome.text)) != outcome.dead {
      // Otherwise no answer about the list could be given.
      for index in kept { outcome.results[index].status = forbidden }
    }
    outcome.isRefused = outcome.results.contains { $0.status != ok }
    return outcome
  }

  /// At most as long as a title can be.
  private static func title(_ text: String) -> String {
    var cut = String.UnicodeScalarView()
    cut.append(contentsOf: text.trimmed.unicodeScalars.prefix(1_000))
    return String(cut)
  }

  static func create(
    _ request: Request, _ settings: CalDAVSettings
  ) throws -> ExchangeRoute.Work {
    let caller = Caller(request)
    try caller.checkWrite()
    guard caller.mayMakeLists else { throw DAVError.needsAll }
    let name = request.parameter("name") ?? ""
    guard DAVPath.isName(ofList: name), !CalendarRepository.isReserved(list: name) else {
      throw DAVError.refusal(
        .forbidden, DAVName.caldav("calendar-collection-location-ok"),
        "A name has 1 to 255 bytes, no slash and no control character, and is not a number.")
    }
    let body = try request.xml()
    let steps = body.map { ListChanges.steps(in: $0, [DAVName.dav("set")]) } ?? []
    let conditions = try Conditions(request)
    try checkCount(steps)
    try check(steps)
    let isCalendar = request.method == .mkcalendar
    return .write { db, _ in
      guard try CalendarRepository.collection(name, among: .all, in: db) == nil else {
        throw DAVError.refusal(
          isCalendar ? .forbidden : .methodNotAllowed, DAVName.dav("resource-must-be-null"),
          "There is a list at this path.")
      }
      try conditions.check(nil, caller, settings, db)
      var outcome = try apply(steps, to: name, DeadProperties(nil), isNew: true)
      guard !outcome.isRefused else {
        guard outcome.results.contains(where: { $0.status == Multistatus.cut }) else {
          throw DAVError.badRequest("The properties cannot be stored as XML.")
        }
        throw DAVError.refusal(.insufficientStorage, nil, "The properties take too much room.")
      }
      outcome.values.title = outcome.values.title ?? title(name)
      let id = try CalendarRepository.create(name, outcome.values, in: db)
      if let text = outcome.text {
        try CalendarRepository.set(properties: text, of: id, in: db)
      }
      return DAVAnswer.empty(.created)
    }
  }

  /// Refuses a list inside a list (RFC 4791 section 5.3.1.1).
  static func refuseInList(_ request: Request) throws -> ExchangeRoute.Work {
    let caller = Caller(request)
    try caller.checkWrite()
    return .write { db, _ in
      guard try caller.list(request, db) != nil else { throw DAVError.noList }
      throw DAVError.refusal(
        .forbidden, DAVName.caldav("calendar-collection-location-ok"), "A list is not in a list.")
    }
  }

  /// Throws if it would be a calendar of something else, or no calendar.
  private static func check(_ steps: [Step]) throws {
    for step in steps {
      switch step.property.name {
      case DAVName.caldav("supported-calendar-component-set"):
        let names = step.property.all(DAVName.caldav("comp")).compactMap { $0.attribute("name") }
        guard names.isEmpty || names.contains("VTODO") else {
          throw DAVError.refusal(
            .forbidden, DAVName.caldav("supported-calendar-component"),
            "A list has to-dos (VTODO), and no \(names.joined(separator: ", ")).")
        }
      case DAVName.caldav("calendar-timezone"): try TimeZoneText.check(step.property.text)
      case DAVName.dav("resourcetype"):
        let known = [DAVName.dav("collection"), DAVName.caldav("calendar")]
        guard step.property.children.allSatisfy({ known.contains($0.name) }) else {
          throw DAVError.refusal(
            .forbidden, DAVName.dav("valid-resourcetype"), "Only calendars can be made here.")
        }
      default: break
      }
    }
  }

  static func delete(_ request: Request, _ settings: CalDAVSettings) throws -> ExchangeRoute.Work {
    let caller = Caller(request)
    try caller.checkWrite()
    let isPermanent = settings.trash <= .zero
    let conditions = try Conditions(request)
    return .write { db, hasBegun in
      guard let list = try caller.list(request, db) else { throw DAVError.notThere }
      // Each portion changes the tag of the list.
      if !hasBegun {
        try conditions.check(try Conditions.State(list, settings, db), caller, settings, db)
      }
      if try ListRepository.shrink(list.id, isPermanent: isPermanent, in: db) { return nil }
      try ListRepository.delete(list.id, isPermanent: isPermanent, in: db)
      return DAVAnswer.empty(.noContent)
    }
  }
}
