import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletReminders
import MartletStore
import MartletTime

/// The routes `/v1/export` and `/v1/import`.
enum TransferRoutes {
  /// Exports a consistent snapshot of the lists that the caller may see.
  ///
  /// - Parameter zone: The zone of reminders that name none.
  static func export(in zone: ZoneInfo) -> Route {
    .download("/v1/export", parts: .respected) { request in
      try download(request, zone)
    }
  }

  private static func download(
    _ request: Request, _ zone: ZoneInfo
  ) throws -> Download {
    let (named, list) = try parameters(request)
    let format = try named ?? accepted(request)
    var lists = request.lists
    if let list {
      guard lists.contains(list) else { throw APIProblem.missing("list", "\(list)") }
      lists = .only([list])
    }
    return Download(type: format.mediaType, name: "martlet.\(format.rawValue)") {
      [lists] db, body, goOn in
      if let list, try !RemindersList.exists(list, in: db) {
        throw APIProblem.missing("list", "\(list)")
      }
      var writer = format.writer(house: zone)
      writer.begin(into: body)
      let counts = try Exporter.export(among: lists, in: db) { record in
        try goOn()
        writer.write(record, into: body)
      }
      writer.end(counts, into: body)
    }
  }

  /// Imports a file in one transaction.
  ///
  /// The file is parsed before the transaction begins, so the writer only adds its records.
  static func `import`(_ settings: RemindersAPISettings) -> Route {
    let zone = settings.zone
    return .upload("/v1/import", needs: .admin) { request, context in
      if request.fields["Content-Type"]?.lowercased().hasPrefix("multipart/") == true {
        throw APIProblem(
          .unsupportedMediaType,
          "Send the file as the request body, not as a form: curl --data-binary @file.")
      }
      let (named, updates, hasDefaults) = try importParameters(request)
      let format = named ?? sent(request)
      if updates, !format.canUpdate {
        throw APIProblem(
          .invalidParameter, "Invalid query parameter.",
          errors: [
            FieldError(
              .parameter("update"), "is possible for an iCalendar file only, not \(format.rawValue)"
            )
          ])
      }
      var lines = MemoryLines(request.body)
      let records: [TransferRecord]
      do {
        records = try format.records(
          &lines, depthLimit: request.jsonDepth, most: mostRecords(context.settings.uploadBytes),
          house: zone)
      } catch var problem as APIProblem {
        if !request.body.bytes.isEmpty, !request.body.bytes.contains(0x0A) {
          problem.detail +=
            " The body has no line breaks: curl -d removes them, --data-binary keeps them."
        }
        throw problem
      }
      return WriteRoute.Work { [clock = context.clock] db in
        let defaults =
          hasDefaults ? try DefaultAlarms.stored(fixed: settings.fixedAlarms, in: db) : nil
        let counts = try Importer.add(
          records, zone: zone, at: clock.now(), updates: updates, defaults: defaults, in: db)
        let answer = ByteBuffer(capacity: 64)
        JSONWriter.object(into: answer) { object in
          object.member("lists", counts.lists)
          object.member("tags", counts.tags)
          object.member("reminders", counts.reminders)
          object.member("completions", counts.completions)
          object.member("smartLists", counts.smartLists)
          object.member("notes") { body in
            JSONWriter.array(into: body) { array in
              for note in counts.notes {
                array.element { body in
                  JSONWriter.object(into: body) { object in
                    object.member("uid", note.uid)
                    object.member("title", note.title)
                    object.member("detail", note.detail)
                  }
                }
              }
            }
          }
        }
        return .results(answer.share())
      }
    }
  }

  /// The maximum number of records in an upload of at most `bytes`: one per 64 bytes, and at least
  /// 1024.
  ///
  /// The time in the writer depends on the number of records, and a row of a table may take two
  /// bytes.
  static func mostRecords(_ bytes: Int) -> Int { max(bytes / 64, 1_024) }

  /// The format of an import, whether it changes what has the UID of something in it, and whether
  /// reminders without an alarm get the default one.
  private static func importParameters(
    _ request: Request
  ) throws(APIProblem) -> (format: TransferFormat?, updates: Bool, hasDefaults: Bool) {
    var parameters = QueryParameters(request)
    let format = format(&parameters)
    let updates = parameters.bool("update") ?? false
    let hasDefaults = parameters.bool("defaultAlarms") ?? false
    try parameters.finish()
    return (format, updates, hasDefaults)
  }

  /// The format, and the list, of an export.
  private static func parameters(
    _ request: Request
  ) throws(APIProblem) -> (format: TransferFormat?, list: Int?) {
    var parameters = QueryParameters(request)
    let format = format(&parameters)
    let list = parameters.integer("listID", in: 1...Int.max)
    try parameters.finish()
    return (format, list)
  }

  private static func format(_ parameters: inout QueryParameters) -> TransferFormat? {
    parameters.oneOf("format", ["ndjson": TransferFormat.ndjson, "csv": .csv, "ics": .ics])
  }

  /// The format that the client prefers in `Accept`; NDJSON without that header field.
  private static func accepted(_ request: Request) throws(APIProblem) -> TransferFormat {
    let accept = Accept(request.fields["Accept"])
    let liked = TransferFormat.allCases.map {
      ($0, accept.quality(of: MediaType(stringLiteral: $0.shortType)))
    }
    let most = liked.map(\.1).max() ?? 0
    guard most > 0, let format = liked.first(where: { $0.1 == most })?.0 else {
      let types = TransferFormat.allCases.map(\.shortType).joined(separator: ", ")
      throw APIProblem(.notAcceptable, "An export is available as \(types).")
    }
    return format
  }

  /// The format of the body by its `Content-Type`, or else by its first bytes.
  ///
  /// curl sends the media type of a form by default, which says nothing.
  private static func sent(_ request: Request) -> TransferFormat {
    let type = (request.fields["Content-Type"] ?? "").prefix { $0 != ";" }
      .trimmingPrefix(" ").lowercased()
    let said = TransferFormat.allCases.first { type.hasPrefix($0.shortType) }
    return said ?? TransferFormat(guessing: "", head: request.body.bytes.prefix(512)) ?? .ndjson
  }
}
