import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletReminders
import MartletStore

enum TransferRoutes {
  /// All of it, as it is at one moment.
  static let export = Route.download("/v1/export", parts: .respected) { request in
    let format = try named(request) ?? accepted(request)
    let lists = request.lists
    return Download(type: format.mediaType, name: "martlet.\(format.rawValue)") { db, body, goOn in
      var writer = format.writer()
      writer.begin(into: body)
      let counts = try Exporter.export(among: lists, in: db) { record in
        try goOn()
        writer.write(record, into: body)
      }
      writer.end(counts, into: body)
    }
  }

  /// All of it in one transaction, or nothing. The file is read before: the writer only adds its records.
  static let `import` = Route.upload("/v1/import", needs: .admin) { request, context in
    if request.fields["Content-Type"]?.lowercased().hasPrefix("multipart/") == true {
      throw APIProblem(
        .unsupportedMediaType,
        "The file is the body itself, not a part of a form: curl --data-binary @file.")
    }
    let format = try named(request) ?? sent(request)
    var lines = MemoryLines(request.body)
    let records: [TransferRecord]
    do {
      records = try format.records(
        &lines, depthLimit: request.jsonDepth, most: mostRecords(context.settings.uploadBytes))
    } catch var problem as APIProblem {
      if !request.body.bytes.isEmpty, !request.body.bytes.contains(0x0A) {
        problem.detail +=
          " The body has no line end: curl drops them unless it sends --data-binary."
      }
      throw problem
    }
    return WriteRoute.Change { db in
      let counts = try Importer.add(records, in: db)
      let answer = ByteBuffer(capacity: 64)
      JSONWriter.object(into: answer) { object in
        object.member("lists", counts.lists)
        object.member("tags", counts.tags)
        object.member("reminders", counts.reminders)
      }
      return .results(answer.share())
    }
  }

  /// How many records an upload of at most `bytes` may have: one for 64 bytes. A row of a table takes two, and as long in
  /// the writer as any other.
  static func mostRecords(_ bytes: Int) -> Int { max(bytes / 64, 1_024) }

  private static func named(_ request: Request) throws(APIProblem) -> TransferFormat? {
    var parameters = QueryParameters(request)
    let format = parameters.oneOf(
      "format", ["ndjson": TransferFormat.ndjson, "csv": .csv, "ics": .ics])
    try parameters.finish()
    return format
  }

  /// The one that the client likes best; the lines where it says nothing.
  private static func accepted(_ request: Request) throws(APIProblem) -> TransferFormat {
    let accept = Accept(request.fields["Accept"])
    let liked = TransferFormat.allCases.map {
      ($0, accept.quality(of: MediaType(stringLiteral: $0.shortType)))
    }
    let most = liked.map(\.1).max() ?? 0
    guard most > 0, let format = liked.first(where: { $0.1 == most })?.0 else {
      let types = TransferFormat.allCases.map(\.shortType).joined(separator: ", ")
      throw APIProblem(.notAcceptable, "An export is there as \(types).")
    }
    return format
  }

  /// What the body's type says, or else its first bytes: curl says that everything is a form.
  private static func sent(_ request: Request) -> TransferFormat {
    let type = (request.fields["Content-Type"] ?? "").prefix { $0 != ";" }
      .trimmingPrefix(" ").lowercased()
    let said = TransferFormat.allCases.first { type.hasPrefix($0.shortType) }
    return said ?? TransferFormat(guessing: "", head: request.body.bytes.prefix(512)) ?? .ndjson
  }
}
