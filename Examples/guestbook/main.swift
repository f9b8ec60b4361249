// A guest book: a service on Martlet's libraries that knows nothing of reminders.
//
//   swift run guestbook guestbook.db 8090
//   curl localhost:8090/entries -d '{"name": "Ada", "text": "Lovely"}'
//   curl -N -H 'Accept: text/event-stream' localhost:8090/entries

import Dispatch
import HTTPServer
import LiveAPI
import LiveQueries
import QueryBuilder
import SQLite
import Store
import Time

@Table("entries")
struct Entry {
  let id: Int
  var name: String
  var text: String
  var writtenAt: Instant
}

enum Guestbook {
  static let schema = Migrator([
    Migration(
      number: 1, name: "entries",
      sql: """
        CREATE TABLE entries (
          id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, text TEXT NOT NULL,
          writtenAt TEXT NOT NULL
        ) STRICT
        """)
  ])

  /// The newest entries, as JSON and as an event stream.
  static let list = Route.read("/entries") { request, _ in
    var parameters = QueryParameters.ofRead(request)
    let limit = parameters.integer("limit", in: 1...100) ?? 20
    try parameters.finish()
    return LiveSource(request) { db, body in
      let newest = Entry.order { $0.id.desc() }
      try db.writeJSON(
        PageQuery(
          segments: [{ newest.limit($0).query(hiding: []) }], keyCount: 0, limit: limit,
          fingerprint: 0), into: body)
      return true
    }
  }

  static let write = Route.write(.post, "/entries") { request, api in
    var body = try Body(request)
    let name = body.string("name", 1...100)
    let text = body.string("text", 1...1000)
    body.require("name", name != nil)
    body.require("text", text != nil)
    try body.finish()
    return WriteRoute.Change { db in
      let draft = Entry.Draft(name: name ?? "", text: text ?? "", writtenAt: api.clock.now())
      try Entry.insert { draft }.execute(db)
      let id = Int(db.lastInsertRowID)
      return .created(location: "/entries/\(id)") { db, body in
        try db.writeJSONObject(Entry.find(id).query, into: body)
      }
    }
  }
}

let path = CommandLine.arguments.dropFirst().first ?? "guestbook.db"
let port = CommandLine.arguments.dropFirst(2).first.flatMap { UInt16($0) } ?? 8090

try EmbeddedDatabase.migrate(path: path, Guestbook.schema)
var settings = Settings()
settings.loopReaders = 2
let database = try EmbeddedDatabase(
  path: path, settings: settings, prepare: { LiveQueries.prepare($0) })
let api = API(database: database, live: LiveQueries(database))

var router = Router()
api.register([Guestbook.list, Guestbook.write, .livez], on: &router)
var configuration = HTTPServer.Configuration()
configuration.port = port
configuration.loops = settings.loopReaders
let server = HTTPServer(configuration: configuration, router: router)
print("listening on http://localhost:\(try server.start())")
dispatchMain()
