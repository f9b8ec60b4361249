import HTTPServer
import JSON
import SQLite
import Store

/// A `POST`, `PUT`, `PATCH` or `DELETE`: a change in the writer's transaction, answered when it is
/// durable.
public struct WriteRoute: Sendable {
  /// Writes what `GET` of an URL answers; false where there is nothing.
  public typealias Current = @Sendable (Connection, ByteBuffer) throws -> Bool

  /// What a request asks for, as a value that can run more than once.
  public struct Change: Sendable {
    /// What `If-Match` and `If-None-Match` are compared with: what `GET` of the URL without parameters
    /// answers.
    var current: Current?
    /// Members of the body that may only say what is stored.
    var readOnly: [JSONObject.Member]
    var perform: @Sendable (Connection) throws -> Done

    public init(
      current: Current? = nil, readOnly: [JSONObject.Member] = [],
      perform: @escaping @Sendable (Connection) throws -> Done
    ) {
      self.current = current
      self.readOnly = readOnly
      self.perform = perform
    }
  }

  /// What was done, and what the answer shows of it.
  public enum Done: Sendable {
    /// 201, with the row as it is stored.
    case created(location: String, Current)
    /// 200, with the row as it is stored.
    case changed(Current)
    /// 204
    case done
  }

  public typealias Parse = @Sendable (Request, API) throws -> Change

  let parse: Parse

  func answer(_ request: Request, _ context: RequestContext, _ api: API) -> Outcome {
    do {
      try Origins.check(request, allowed: api.settings.allowedOrigins)
      let change = try parse(request, api)
      let preconditions = Preconditions(request)
      return .later { responder in
        do throws(WriteError) {
          try api.database.submit { connection in
            try run(change, preconditions, request, connection)
          } completion: { result in
            switch result {
            case .success(let response): responder.respond(response)
            case .failure(let error): responder.respond(api.answer(to: error, request.id))
            }
          }
        } catch {
          responder.respond(api.answer(to: error, request.id))
        }
      }
    } catch {
      return .respond(api.answer(to: error, request.id))
    }
  }

  /// On the writer's connection, inside the change's own savepoint.
  private func run(
    _ change: Change, _ preconditions: Preconditions, _ request: Request, _ connection: Connection
  ) throws -> Response {
    if !preconditions.isEmpty || !change.readOnly.isEmpty, let current = change.current {
      let body = ByteBuffer(capacity: 1024)
      let isThere = try current(connection, body)
      try preconditions.check(isThere ? ETag(hashing: body.bytes) : nil)
      if isThere { try checkReadOnly(change.readOnly, body) }
    }
    switch try change.perform(connection) {
    case .created(let location, let current):
      return try stored(.created, current, request, connection, location: location)
    case .changed(let current): return try stored(.ok, current, request, connection)
    case .done:
      var fields = AnswerFields.done
      fields.append("X-Request-ID", request.id)
      return Response(.noContent, fields)
    }
  }

  /// The row as it is stored now: read again, because `RETURNING` shows it before the triggers.
  private func stored(
    _ status: Status, _ current: Current, _ request: Request, _ connection: Connection,
    location: String? = nil
  ) throws -> Response {
    let body = ByteBuffer(capacity: 1024)
    guard try current(connection, body) else { throw APIProblem.notFound("It is not there.") }
    var fields = AnswerFields.written
    fields.append("ETag", ETag(hashing: body.bytes).description)
    if let location { fields.append("Location", location) }
    fields.append("X-Request-ID", request.id)
    return Response(status, fields, body: .shared(body.share()))
  }

  private func checkReadOnly(_ members: [JSONObject.Member], _ body: ByteBuffer) throws {
    guard !members.isEmpty, case .object(let stored) = try JSONValue.parse(body.bytes) else {
      return
    }
    let wrong = members.filter { member in
      stored[member.name].map { !$0.isEquivalent(to: member.value) } ?? true
    }
    guard !wrong.isEmpty else { return }
    throw APIProblem(
      .invalidBody, "The body would change members that cannot be changed.",
      errors: wrong.map {
        FieldError(
          .pointer("/\($0.name)"),
          "is read-only; it may be left out, or be what is stored: \(stored[$0.name]?.description ?? "nothing")"
        )
      })
  }
}
