import MartletHTTP
import MartletICalendar
import MartletLiveAPI
import MartletReminders
import MartletSQLite
import MartletTime

/// Answers GET, PUT, DELETE and MOVE of objects.
enum Objects {
  static func get(_ request: Request, _ settings: CalDAVSettings) throws -> ExchangeRoute.Work {
    let caller = Caller(request)
    let conditions = Conditions(ofRead: request)
    return .read { db in
      let (_, entry) = try caller.object(request, db)
      let text = try CalendarRepository.text(of: entry.id, house: settings.zone, in: db)
      guard let text else { throw DAVError.notThere }
      var fields = DAVAnswer.fields()
      let tag = entry.tag(house: settings.zone)
      fields.append("ETag", tag)
      if conditions.isUnchanged(tag) { return Response(.notModified, fields) }
      fields.append("Content-Type", ObjectResource.type)
      if let time = entry.updatedAt { fields.append("Last-Modified", HTTPDate.string(time)) }
      return Response(.ok, fields, body: .text(text))
    }
  }

  /// The list as one calendar, for programs that only read (webcal).
  static func feed(_ request: Request, _ settings: CalDAVSettings) throws -> ExchangeRoute.Work {
    try QueryParameters.ofRead(request).finish()
    let caller = Caller(request)
    let conditions = Conditions(ofRead: request)
    return .document(
      Download(.ok) { db in
        guard let list = try caller.list(request, db) else { throw DAVError.notThere }
        let token = try CalendarRepository.token(of: list.id, in: db)
        let tag = token.tag(of: list, house: settings.zone)
        var fields = DAVAnswer.fields()
        fields.append("Vary", "Accept-Encoding")
        fields.append("ETag", tag)
        if conditions.isUnchanged(tag) { throw ExchangeRefusal(Response(.notModified, fields)) }
        fields.append("Content-Type", CalendarFile.type)
        fields.append("Content-Disposition", "attachment; filename=\"list.ics\"")
        return fields
      } write: { db, body, goOn in
        guard let list = try caller.list(request, db) else { throw DAVError.notThere }
        let count = try CalendarRepository.count(of: list.id, in: db)
        try goOn.expect(bytes: count * 500)
        var file = CalendarFile(house: settings.zone, isOneList: true)
        file.begin(into: body)
        try Exporter.export(among: .only([list.id]), in: db) { record in
          try goOn()
          file.write(record, into: body)
        }
        file.end(into: body)
      })
  }

  static func put(
    _ request: Request, _ context: Context, _ settings: CalDAVSettings
  ) throws -> ExchangeRoute.Work {
    let caller = Caller(request)
    try caller.checkWrite()
    let name = request.parameter("file") ?? ""
    guard DAVPath.isName(ofObject: name) else { throw badName }
    guard request.fields["Content-Range"] == nil else {
      // It would replace the whole by a part (RFC 9110 section 14.5).
      throw DAVError.badRequest("An object is stored as a whole, without Content-Range.")
    }
    if let type = request.fields["Content-Type"]?.lowercased(), !type.hasPrefix("text/calendar") {
      throw DAVError.refusal(
        .unsupportedMediaType, DAVName.caldav("supported-calendar-data"),
        "Send the object as text/calendar.")
    }
    let bytes = request.body.bytes
    // A bit more than said, for what a change of the reminder can add to the text.
    guard length(of: bytes) <= ListResource.mostBytes + ListResource.mostBytes / 8 else {
      throw DAVError.refusal(
        .forbidden, DAVName.caldav("max-resource-size"), "An object has at most 1 MiB.")
    }
    // Some programs fold a line inside a character (RFC 5545 section 3.1).
    let exact = String(validating: bytes, as: UTF8.self)
    guard let raw = exact ?? CalendarReader.unfolded(bytes) else {
      throw DAVError.refusal(
        .forbidden, DAVName.caldav("valid-calendar-data"), "The object is not UTF-8.")
    }
    let text = try parse(bytes, settings)
    let conditions = try Conditions(request)
    return .write { db, _ in
      guard let list = try caller.list(request, db) else { throw DAVError.noList }
      let old = try CalendarRepository.entry(name, in: list.id, db)
      try conditions.check(
        old.map { Conditions.State($0, settings) }, caller, settings, db)
      if old == nil, CalendarRepository.isReserved(object: name) { throw badName }
      let place = try CalendarRepository.Placement(
        list: list.id, name: name, at: context.clock.now(), in: settings.zone,
        defaults: DefaultAlarms.forCalendars(fixed: settings.fixedAlarms, in: db))
      let stored: CalendarRepository.Stored
      do {
        stored = try CalendarRepository.put(text, raw: raw, place, over: old, in: db)
      } catch let conflict as CalendarRepository.Conflict {
        throw refusal(conflict, list, name)
      }
      var fields = DAVAnswer.fields()
      // Otherwise the client has to read what has become of it.
      if stored.isAsPut, exact != nil {
        fields.append("ETag", stored.entry.tag(house: settings.zone))
      }
      if let unread = unread(stored.unread) { fields.append("X-Martlet-Unread", unread) }
      return Response(stored.isNew ? .created : .noContent, fields)
    }
  }

  /// The parts of a text that were not understood, as sentences of printable ASCII.
  private static func unread(_ sentences: [String]) -> String? {
    guard !sentences.isEmpty else { return nil }
    let scalars = sentences.joined(separator: " ").unicodeScalars.prefix(1_000)
    return String(
      String.UnicodeScalarView(scalars.map { ("\u{20}"..."~").contains($0) ? $0 : "?" }))
  }

  /// The size of a text without folds and carriage returns, which the service adds when it writes
  /// one.
  private static func length(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var length = bytes.count
    for place in bytes.indices {
      switch bytes[place] {
      case 0x0D: length -= 1
      case 0x0A where place + 1 < bytes.count && [0x20, 0x09].contains(bytes[place + 1]):
        length -= 2
      default: break
      }
    }
    return length
  }

  private static func parse(
    _ bytes: UnsafeBufferPointer<UInt8>, _ settings: CalDAVSettings
  ) throws -> ObjectText {
    do throws(ObjectText.Fault) {
      return try ObjectText(bytes, house: settings.zone)
    } catch {
      let condition =
        switch error {
        case .invalid: "valid-calendar-data"
        case .notOneObject: "valid-calendar-object-resource"
        case .otherComponent: "supported-calendar-component"
        }
      throw DAVError.refusal(.forbidden, DAVName.caldav(condition), error.detail)
    }
  }

  private static func refusal(
    _ conflict: CalendarRepository.Conflict, _ list: CalendarRepository.Collection, _ name: String
  ) -> ExchangeRefusal {
    let (name, detail) =
      switch conflict {
      case .uidExists(let other): (other, "Another object of this list has the UID.")
      case .otherUID: (name, "The object at this path has another UID.")
      }
    return DAVError.refusal(
      .forbidden, DAVName.caldav("no-uid-conflict"), detail,
      href: DAVPath.object(name, in: list.name))
  }

  private static let badName = DAVError.refusal(
    .forbidden, nil,
    "A name has 1 to 255 bytes, no control character and no part . or .., and is not m-NUMBER.ics.")

  static func delete(_ request: Request, _ settings: CalDAVSettings) throws -> ExchangeRoute.Work {
    let caller = Caller(request)
    try caller.checkWrite()
    let conditions = try Conditions(request)
    return .write { db, _ in
      let (_, entry) = try caller.object(request, db)
      try conditions.check(Conditions.State(entry, settings), caller, settings, db)
      try CalendarRepository.delete(entry.id, isPermanent: settings.trash <= .zero, in: db)
      return DAVAnswer.empty(.noContent)
    }
  }

  static func move(
    _ request: Request, _ context: Context, _ settings: CalDAVSettings
  ) throws -> ExchangeRoute.Work {
    let caller = Caller(request)
    try caller.checkWrite()
    let conditions = try Conditions(request)
    guard let target = request.fields["Destination"].flatMap({ DAVPath.parse($0) }),
      let name = target.object, DAVPath.isName(ofObject: name)
    else { throw DAVError.badRequest("Destination must be the path of an object in a list.") }
    let mayReplace = request.fields["Overwrite"]?.uppercased() != "F"
    return .write { db, _ in
      let (_, entry) = try caller.object(request, db)
      try conditions.check(Conditions.State(entry, settings), caller, settings, db)
      let collection = try CalendarRepository.collection(target.list, among: caller.lists, in: db)
      guard let collection else { throw DAVError.noList }
      let other = try CalendarRepository.entry(name, in: collection.id, db)
      if other?.id == entry.id { return DAVAnswer.empty(.noContent) }
      if CalendarRepository.isReserved(object: name), name != entry.name { throw badName }
      if let other {
        guard mayReplace else { throw DAVError.mismatch }
        try CalendarRepository.delete(other.id, isPermanent: settings.trash <= .zero, in: db)
      }
      do {
        try CalendarRepository.move(
          entry, to: name, in: collection.id, at: context.clock.now(), zone: settings.zone, db)
      } catch let conflict as CalendarRepository.Conflict {
        throw refusal(conflict, collection, name)
      }
      return DAVAnswer.empty(other == nil ? .created : .noContent)
    }
  }
}
