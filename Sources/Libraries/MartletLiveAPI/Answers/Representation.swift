import MartletHTTP
import MartletJSON
import MartletLiveQueries
import MartletStore

/// One representation of a result, plain or compressed: its header fields and its bytes.
struct Representation {
  private var fields: Fields
  private let body: Response.Body

  init(_ body: Response.Body, _ tag: ETag, isCompressed: Bool = false) {
    var fields = AnswerFields.json
    fields.append("ETag", isCompressed ? tag.compressed : tag.description)
    if isCompressed { fields.append("Content-Encoding", "gzip") }
    self.fields = fields
    self.body = body
  }

  /// Whether a response of `count` bytes is compressed.
  static func isCompressed(_ request: Request, _ count: Int, _ context: Context) -> Bool {
    count >= context.settings.gzipFrom
      && AcceptEncoding(request.fields.list("Accept-Encoding")).prefersGzip
  }

  /// The response to a request for a result of `count` bytes, plain or compressed: a 200, a 304, or
  /// a 400 or 412 if a precondition is malformed or does not hold.
  static func answer(
    _ request: Request, _ tag: ETag, _ count: Int, _ context: Context, mayCompress: Bool = true,
    _ form: (_ isCompressed: Bool) -> Representation
  ) -> Response {
    let isCompressed = mayCompress && isCompressed(request, count, context)
    let preconditions = Preconditions(request)
    do throws(APIProblem) {
      try preconditions.checkForm()
      try preconditions.checkMatch(tag)
    } catch {
      return context.varied(error, to: request)
    }
    guard !preconditions.excludes(tag) else {
      var fields = AnswerFields.unchanged
      fields.append("ETag", isCompressed ? tag.compressed : tag.description)
      fields.append("X-Request-ID", request.id)
      return Response(.notModified, fields)
    }
    var form = form(isCompressed)
    form.fields.append("X-Request-ID", request.id)
    return Response(.ok, form.fields, body: form.body)
  }

  /// The same for a result that was just read.
  static func answer(
    _ request: Request, _ bytes: UnsafeBufferPointer<UInt8>, _ context: Context,
    whole: () -> Response.Body
  ) -> Response {
    let tag = ETag(hashing: bytes)
    return answer(request, tag, bytes.count, context) { isCompressed in
      Representation(
        isCompressed ? .bytes(Gzip.compress(bytes)) : whole(), tag, isCompressed: isCompressed)
    }
  }
}

/// Content negotiation: JSON or an event stream (RFC 9110 section 12.5.1).
enum Negotiation {
  case json, eventStream

  static func of(_ request: Request) throws(APIProblem) -> Negotiation {
    guard let field = request.fields.list("Accept") else { return .json }
    let accept = Accept(field)
    let json = accept.quality(of: .json)
    // A media range such as `*/*` does not select the stream if JSON is acceptable.
    let mayStream = json == 0 || accept.names(.eventStream)
    let stream = mayStream ? accept.quality(of: .eventStream) : 0
    if stream > json { return .eventStream }
    if json > 0 { return .json }
    throw APIProblem(
      .notAcceptable,
      "This is available as application/json and as text/event-stream. Accept one of them.")
  }
}
