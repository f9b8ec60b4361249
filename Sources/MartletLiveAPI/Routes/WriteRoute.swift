import MartletHTTP
import MartletJSON
import MartletSQLite

/// A `POST`, `PUT`, `PATCH` or `DELETE`: a change in the writer's transaction, answered when it is
/// durable.
public struct WriteRoute: Sendable {
  /// Writes what `GET` of an URL answers; false where there is nothing.
  public typealias Current = @Sendable (Connection, ByteBuffer) throws -> Bool

  /// What a request asks for, as a value that can run more than once.
  public struct Change: Sendable {
    /// What `If-Match` and `If-None-Match` are compared with: what `GET` of the URL without parameters
    /// answers. `nil`: what the route of that `GET` reads.
    var current: Current?
    /// Members of the body that may only say what is stored.
    var readOnly: [JSONObject.Member]
    /// For a change that is too large for one transaction: does a portion of it that can stand by itself. False where
    /// ``perform`` can do what is left.
    var portion: (@Sendable (Connection) throws -> Bool)?
    var perform: @Sendable (Connection) throws -> Done

    public init(
      current: Current? = nil, readOnly: [JSONObject.Member] = [],
      portion: (@Sendable (Connection) throws -> Bool)? = nil,
      perform: @escaping @Sendable (Connection) throws -> Done
    ) {
      self.current = current
      self.readOnly = readOnly
      self.portion = portion
      self.perform = perform
    }
  }

  /// What was done, and what the answer shows of it.
  public enum Done: Sendable {
    /// 201, with the row as it is stored.
    case created(location: String, Current)
    /// 200, with the row as it is stored.
    case changed(Current)
    /// 200, with what was made of it.
    case results(SharedBytes)
    /// 204
    case done
  }

  public typealias Parse = @Sendable (Request, Context) throws -> Change

  /// Whether it can be part of a batch.
  let isPart: Bool
  /// Whether its requests are understood on a thread apart, because their bodies are large.
  let isUpload: Bool
  private let parse: Parse

  init(isPart: Bool = true, isUpload: Bool = false, parse: @escaping Parse) {
    self.isPart = isPart
    self.isUpload = isUpload
    self.parse = parse
  }

  /// What a request asks for. A query that the route has not looked at is refused.
  func understand(_ request: Request, _ context: Context) throws -> Change {
    let change = try parse(request, context)
    try QueryParameters.checkUnread(request, isRead: false)
    return change
  }
}
