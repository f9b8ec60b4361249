// A minimal server with HTTPServer, for protocol testers and load generators.
//
//   http-probe [PORT]      The default is 8080; 0 lets the system choose a port.
import Glibc
import MartletHTTP
import MartletJSON

let signals = StopSignals()
var configuration = HTTPServer.Configuration()
configuration.host = "127.0.0.1"
configuration.port = CommandLine.arguments.dropFirst().first.flatMap { UInt16($0) } ?? 8080

let plain = Fields(["Content-Type": "text/plain; charset=utf-8"])

var router = Router()
router.on(.get, "/") { _, context in
  context.scratch.append("OK")
  return .respond(Response(.ok, plain, body: .scratch))
}
router.on(.get, "/echo") { request, context in
  request.fields.visit { name, value in
    context.scratch.append(name)
    context.scratch.append(": ")
    context.scratch.append(value)
    context.scratch.append("\n")
  }
  return .respond(Response(.ok, plain, body: .scratch))
}
router.on(.get, "/cookie") { request, context in
  for cookie in (request.fields["Cookie"] ?? "").split(separator: ";") {
    context.scratch.append(utf8: cookie.drop { $0 == " " })
    context.scratch.append("\n")
  }
  return .respond(Response(.ok, plain, body: .scratch))
}
router.on(.post, "/json") { request, _ in
  do throws(JSONError) {
    _ = try JSONValue.parse(request.body.bytes)
    return .respond(Response(.noContent))
  } catch {
    return .respond(
      Problem(.badRequest, type: "/problems/not-json", detail: String(describing: error)).response()
    )
  }
}
// Requests with a body to any other path get the body back.
router.readsMissedBodies = true
router.missed = { miss, request, _ in
  if request.body.count > 0 || request.method == .post {
    return Response(.ok, plain, body: .shared(request.body))
  }
  return Router.answer(to: miss)
}

let server: HTTPServer
let port: UInt16
do {
  server = try HTTPServer(configuration: configuration, router: router)
  port = try server.start()
} catch {
  print("http-probe: \(error)")
  exit(1)
}
print("listening on http://127.0.0.1:\(port)")
fflush(nil)

// The first signal drains the server, the second ends the process at once.
signals.wait(first: { server.drain { exit(0) } }, further: { exit(0) })
