import MartletHTTP
import MartletJSON
import MartletStore

/// A result as it is sent, whole or compressed: the fields that tell so, and its bytes.
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

  /// Whether an answer of `count` bytes is sent compressed.
  static func isCompressed(_ request: Request, _ count: Int, _ api: API) -> Bool {
    count >= api.settings.gzipFrom
      && AcceptEncoding(request.fields.list("Accept-Encoding")).prefersGzip
  }

  /// The answer of `count` bytes to a request: whether the client has it already, whether it likes it compressed.
  static func answer(
    _ request: Request, _ tag: ETag, _ count: Int, _ api: API, mayCompress: Bool = true,
    _ form: (_ isCompressed: Bool) -> Representation
  ) -> Response {
    let isCompressed = mayCompress && isCompressed(request, count, api)
    let preconditions = Preconditions(request)
    do throws(APIProblem) {
      try preconditions.checkForm()
      try preconditions.checkMatch(tag)
    } catch {
      var response = api.answer(to: error, request.id)
      response.fields.append("Vary", AnswerFields.varies)
      return response
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

  /// The same for a result that was just made.
  static func answer(
    _ request: Request, _ bytes: UnsafeBufferPointer<UInt8>, _ api: API,
    whole: () -> Response.Body
  ) -> Response {
    let tag = ETag(hashing: bytes)
    return answer(request, tag, bytes.count, api) { isCompressed in
      Representation(
        isCompressed ? .bytes(Gzip.compress(bytes)) : whole(), tag, isCompressed: isCompressed)
    }
  }
}
