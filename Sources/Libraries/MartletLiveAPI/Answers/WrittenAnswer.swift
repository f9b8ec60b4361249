import MartletHTTP
import MartletJSON

/// The response to a change.
struct WrittenAnswer {
  let status: Status
  var location: String?
  /// The ETag of the stored row.
  var tag: String?
  /// The stored row, or the results of the change.
  var body: SharedBytes?
  /// The body that is stored for a repeated request in place of ``body``.
  var kept: SharedBytes?
  /// Whether this is the stored response of an earlier request; nothing was changed now.
  var isReplayed = false

  /// The same without an ETag.
  var untagged: WrittenAnswer {
    var answer = self
    answer.tag = nil
    return answer
  }

  func response(_ request: Request) -> Response {
    var fields = body == nil ? AnswerFields.done : AnswerFields.written
    if let tag { fields.append("ETag", tag) }
    if let location { fields.append("Location", location) }
    if isReplayed { fields.append("Idempotency-Replayed", "true") }
    fields.append("X-Request-ID", request.id)
    return Response(status, fields, body: body.map { .shared($0) } ?? .none)
  }
}
