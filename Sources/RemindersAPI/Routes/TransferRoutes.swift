import HTTPServer
import JSON
import LiveAPI
import Reminders
import Store

enum TransferRoutes {
  /// All of it, as it is at one moment.
  static let export = Route.download("/v1/export", parts: .respected) { request in
    try QueryParameters(request).finish()
    let lists = request.lists
    return Download(type: "application/x-ndjson", name: "martlet.ndjson") { db, body, goOn in
      NDJSON.begin(into: body)
      let counts = try Exporter.export(among: lists, in: db) { record in
        try goOn()
        NDJSON.write(record, into: body)
      }
      NDJSON.end(counts, into: body)
    }
  }

  /// All of it in one transaction, or nothing.
  static let `import` = Route.upload("/v1/import", needs: .admin) { request, _ in
    try QueryParameters(request).finish()
    let bytes = request.body
    let depth = request.jsonDepth
    return WriteRoute.Change { db in
      var lines = MemoryLines(bytes)
      let counts = try NDJSON.importing(&lines, depthLimit: depth, in: db)
      let answer = ByteBuffer(capacity: 64)
      JSONWriter.object(into: answer) { object in
        object.member("lists", counts.lists)
        object.member("tags", counts.tags)
        object.member("reminders", counts.reminders)
      }
      return .results(answer.share())
    }
  }
}
