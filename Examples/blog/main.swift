// Users and their posts: a live service on Martlet's libraries that knows nothing of reminders.
//
//   swift run blog blog.db 8090
//   curl localhost:8090/users -d '{"name": "Ada", "email": "ada@example.org"}'
//   curl localhost:8090/users/1/posts -d '{"title": "Notes"}'
//   curl -N -H 'Accept: text/event-stream' localhost:8090/posts
//   curl -X POST localhost:8090/users/1/publish

import Dispatch
import Glibc
import HTTPServer
import LiveAPI
import LiveQueries
import Store

let path = CommandLine.arguments.dropFirst().first ?? "blog.db"
let port = CommandLine.arguments.dropFirst(2).first.flatMap { UInt16($0) } ?? 8090

try EmbeddedDatabase.migrate(path: path, Schema.migrator)
var settings = Settings()
settings.loopReaders = 2
let database = try EmbeddedDatabase(
  path: path, settings: settings, prepare: { LiveQueries.prepare($0) })
let api = API(database: database, live: LiveQueries(database))

var router = Router()
api.register(
  Routes.all + [.livez, .problems(ProblemType.ofAPI + [.emailTaken])], on: &router)
var configuration = HTTPServer.Configuration()
configuration.port = port
configuration.loops = settings.loopReaders
let server = HTTPServer(configuration: configuration, router: router)
print("listening on http://localhost:\(try server.start())")
fflush(nil)
dispatchMain()
