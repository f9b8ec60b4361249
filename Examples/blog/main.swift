// Users and their posts: a live service on Martlet's libraries that knows nothing of reminders.
//
//   swift run blog blog.db 8090
//   curl localhost:8090/users -d '{"name": "Ada", "email": "ada@example.org"}'
//   curl localhost:8090/users/1/posts -d '{"title": "Notes"}'
//   curl -N -H 'Accept: text/event-stream' localhost:8090/posts
//   curl -X POST localhost:8090/users/1/publish

import Glibc
import Martlet

/// Serves until it is asked to end: then requests are finished, and streams are told goodbye. A further signal ends it
/// at once.
func serve(_ path: String, port: UInt16) throws {
  let signals = StopSignals()
  try EmbeddedDatabase.migrate(path: path, Schema.migrator)
  var settings = Settings()
  settings.loopReaders = 2
  let database = try EmbeddedDatabase(
    path: path, settings: settings, prepare: { LiveQueries.prepare($0) })
  let api = API(database: database, live: LiveQueries(database))

  var router = Router()
  let problems = Route.problems(
    ProblemType.ofAPI + [.emailTaken],
    page: """
      ## email-taken

      Another user has this address. Ask for it with `GET /users`, or take another one.
      """)
  api.register(Routes.all + [.livez, problems], on: &router)
  var configuration = HTTPServer.Configuration()
  configuration.port = port
  configuration.loops = settings.loopReaders
  let server = HTTPServer(configuration: configuration, router: router)
  print("listening on http://localhost:\(try server.start())")
  fflush(nil)
  signals.wait(
    first: {
      server.drain {
        database.close()
        exit(0)
      }
    },
    further: { exit(1) })
}

let arguments = CommandLine.arguments.dropFirst()
do {
  try serve(
    arguments.first ?? "blog.db", port: arguments.dropFirst().first.flatMap { UInt16($0) } ?? 8090)
} catch {
  let line = Array("blog: \(error)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
  exit(1)
}
