import MartletHTTP
import MartletJSON

/// What a change is answered with.
struct WrittenAnswer {
  let status: Status
  var location: String?
  /// Of the row as it is stored.
  var tag: String?
  /// The row, or what else there is to say.
  var body: SharedBytes?
  /// It was given before, and nothing was changed now.
  var isReplayed = false

  func response(_ request: Request) -> Response {
    var fields = body == nil ? AnswerFields.done : AnswerFields.written
    if let tag { fields.append("ETag", tag) }
    if let location { fields.append("Location", location) }
    if isReplayed { fields.append("Idempotency-Replayed", "true") }
    fields.append("X-Request-ID", request.id)
    return Response(status, fields, body: body.map { .shared($0) } ?? .none)
  }
}
