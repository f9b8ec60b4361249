import MartletHTTP
import MartletJSON
import MartletSQLite

/// A `POST`, `PUT`, `PATCH` or `DELETE` that runs in the writer's transaction. Its response is sent
/// when the change is durable.
public struct WriteRoute: Sendable {
  /// Writes the response of the `GET` of a URL. Returns false if the item does not exist.
  public typealias Current = @Sendable (Connection, ByteBuffer) throws -> Bool

  /// Asks something without blocking, and calls back once: with a problem that refuses the request,
  /// or with `nil`.
  public typealias Question =
    @Sendable (_ answer: @escaping @Sendable (APIProblem?) -> Void) -> Void

  /// The work that a request asks for, as a value that can run more than once.
  public struct Work: Sendable {
    /// The state that `If-Match` and `If-None-Match` are compared with: the response of the `GET`
    /// of the same URL without parameters. `nil` uses the route of that `GET`.
    var current: Current?
    /// Read-only members of the body: accepted only if they equal the stored value.
    var readOnly: [JSONObject.Member]
    /// Asks something that takes time, such as another process, before the transaction begins. It
    /// must not block, and calls back once: with a problem, which is the answer, or without one.
    var before: Question?
    /// For a change that is too large for one transaction: does an independent part of it. Returns
    /// false when ``perform`` can do the rest.
    var portion: (@Sendable (Connection) throws -> Bool)?
    var perform: @Sendable (Connection) throws -> Done

    /// Creates a change.
    ///
    /// `perform` runs in the writer's transaction. `current` reads the state that preconditions are
    /// compared with; `nil` uses the route of the `GET` of the same URL. `readOnly` are members of
    /// the body that must equal the stored values. `before` asks something that takes time before
    /// the transaction begins, except in a batch, whose transaction has begun. `portion` does one
    /// part of a very large change in a transaction of its own and returns whether there is more to
    /// do before `perform`.
    public init(
      current: Current? = nil, readOnly: [JSONObject.Member] = [],
      portion: (@Sendable (Connection) throws -> Bool)? = nil, before: Question? = nil,
      perform: @escaping @Sendable (Connection) throws -> Done
    ) {
      self.current = current
      self.readOnly = readOnly
      self.before = before
      self.portion = portion
      self.perform = perform
    }
  }

  /// The result of a change, which determines the response.
  public enum Done: Sendable {
    /// 201 with the stored row and its URL.
    case created(location: String, Current)
    /// 200 with the stored row.
    case changed(Current)
    /// 201 at this URL, or 200 without one, with a representation that is shown only this once: it
    /// has a secret that the `GET` of the URL does not show. So it has no ETag. `kept` is stored in
    /// its place, and is the response to a repeated request with the same `Idempotency-Key`: for a
    /// secret that must not be in the database.
    case once(location: String?, Current, kept: Current? = nil)
    /// 200 with these bytes of JSON. `kept` is as in ``once(location:_:kept:)``.
    case results(SharedBytes, kept: SharedBytes? = nil)
    /// 204 without content.
    case done
  }

  /// Converts a request into a change. Throws an ``APIProblem`` if the request is invalid.
  public typealias Parse = @Sendable (Request, Context) throws -> Work

  /// Whether the route can be used in a batch.
  let isPart: Bool
  /// Whether requests are parsed on a background thread because their bodies are large.
  let isUpload: Bool
  private let parse: Parse

  init(isPart: Bool = true, isUpload: Bool = false, parse: @escaping Parse) {
    self.isPart = isPart
    self.isUpload = isUpload
    self.parse = parse
  }

  /// The change that a request asks for. A query that the route has not read is refused.
  func understand(_ request: Request, _ context: Context) throws -> Work {
    let change = try parse(request, context)
    try QueryParameters.checkUnread(request)
    return change
  }
}
