import MartletHTTP
import MartletLiveAPI
import MartletReminders
import MartletSQLite
import MartletXML

/// Answers PROPFIND (RFC 4918 section 9.1).
enum Finding {
  static func fixed(
    _ kind: FixedResource.Kind, _ request: Request, _ settings: CalDAVSettings
  ) throws -> ExchangeRoute.Work {
    let (wanted, depth) = try parse(request)
    let caller = Caller(request)
    return Multistatus.document { db, answer in
      try answer.write(FixedResource(kind: kind, caller: caller), wanted)
      guard depth == 1 else { return }
      switch kind {
      case .principal: break
      case .root:
        for kind in [FixedResource.Kind.principal, .home] {
          try answer.write(FixedResource(kind: kind, caller: caller), wanted)
        }
      case .home:
        for list in try CalendarRepository.collections(among: caller.lists, in: db) {
          try answer.write(try resource(list, caller, settings, db), wanted)
        }
      }
    }
  }

  static func list(_ request: Request, _ settings: CalDAVSettings) throws -> ExchangeRoute.Work {
    let (wanted, depth) = try parse(request)
    let caller = Caller(request)
    return Multistatus.document { db, answer in
      guard let list = try caller.list(request, db) else { throw DAVError.notThere }
      try answer.write(try resource(list, caller, settings, db), wanted)
      guard depth == 1 else { return }
      let entries = try CalendarRepository.entries(of: list.id, in: db)
      try answer.expect(entries.count, wanted)
      for entry in entries {
        try answer.next()
        try answer.write(object(entry, list, caller, settings, db), wanted)
      }
    }
  }

  static func object(_ request: Request, _ settings: CalDAVSettings) throws -> ExchangeRoute.Work {
    let (wanted, _) = try parse(request, isCollection: false)
    let caller = Caller(request)
    return .read { db in
      let (list, entry) = try caller.object(request, db)
      return try Multistatus.response {
        try $0.write(object(entry, list, caller, settings, db), wanted)
      }
    }
  }

  private static func parse(
    _ request: Request, isCollection: Bool = true
  ) throws -> (WantedProperties, Int) {
    let body = try request.xml()
    guard body == nil || body?.name == DAVName.dav("propfind") else {
      throw DAVError.badRequest("The body of PROPFIND must be a propfind element.")
    }
    // RFC 4918 section 14.20.
    let kinds = ["prop", "allprop", "propname"].map(DAVName.dav)
    guard body.map({ $0.children.count { kinds.contains($0.name) } == 1 }) ?? true else {
      throw DAVError.badRequest("A propfind element has one of prop, allprop and propname.")
    }
    let depth = try request.depth()
    guard let depth = depth ?? (isCollection ? nil : 0) else {
      throw DAVError.refusal(
        .forbidden, DAVName.dav("propfind-finite-depth"), "Depth must be 0 or 1.")
    }
    return (try WantedProperties(body, request), depth)
  }

  static func resource(
    _ list: CalendarRepository.Collection, _ caller: Caller, _ settings: CalDAVSettings,
    _ db: Connection
  ) throws -> ListResource {
    ListResource(
      list: list, dead: try DeadProperties(list.properties),
      token: try CalendarRepository.token(of: list.id, in: db), caller: caller,
      zone: settings.zone)
  }

  static func object(
    _ entry: CalendarRepository.Entry, _ list: CalendarRepository.Collection, _ caller: Caller,
    _ settings: CalDAVSettings, _ db: Connection, data: CalendarData? = nil
  ) -> ObjectResource {
    ObjectResource(
      entry: entry, parent: DAVPath.list(list.name), caller: caller, zone: settings.zone,
      text: { try CalendarRepository.text(of: entry.id, house: settings.zone, in: db) ?? "" },
      data: data)
  }
}
