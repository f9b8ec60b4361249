// Users and their posts: a complete live service built with Martlet's libraries.
//
//   swift run blog blog.db 8090
//   curl localhost:8090/users -d '{"name": "Ada", "email": "ada@example.org"}'
//   curl localhost:8090/users/1/posts -d '{"title": "Notes"}'
//   curl -N -H 'Accept: text/event-stream' localhost:8090/posts
//   curl -X POST localhost:8090/users/1/publish

import Martlet

let arguments = CommandLine.arguments.dropFirst()
var service = Service(
  path: arguments.first ?? "blog.db", migrator: Schema.migrator, routes: Routes.all)
service.server.port = arguments.dropFirst().first.flatMap { UInt16($0) } ?? 8090
service.problems = [.emailTaken]
service.problemPage = """
  ## email-taken

  Another user has this address. Ask for it with `GET /users`, or take another one.
  """
service.run()
