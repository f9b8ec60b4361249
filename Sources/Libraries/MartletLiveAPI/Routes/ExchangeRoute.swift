import MartletHTTP
import MartletSQLite

/// A route of another protocol over HTTP, whose answers are no JSON documents.
public struct ExchangeRoute: Sendable {
  /// The kind of work that a request asks for.
  public enum Work: Sendable {
    /// This response, without the database.
    case answer(Response)
    /// A response that is read from the database, on a worker.
    case read(@Sendable (Connection) throws -> Response)
    /// A document that is read from the database and may be large. A small one is made on a worker.
    /// One of 512 KiB and more, or that takes long, is made when it is its client's turn, and sent
    /// from a file. It is compressed for clients that accept that.
    case document(Download)
    /// A change in the writer's transaction, and its response, which is sent when the change is
    /// durable. `nil` means that it was a part of a very large change: it is called again, in a
    /// transaction of its own, and `hasBegun` is true. Conditions that its own parts break, such as
    /// an entity tag, are to be checked only in the first call.
    case write(@Sendable (Connection, _ hasBegun: Bool) throws -> Response?)
  }

  /// Converts a request into its work. Throws an ``APIProblem``, or an ``ExchangeRefusal``.
  public typealias Parse = @Sendable (Request, Context) throws -> Work

  /// Whether requests may change something, so that another machine may have to answer them.
  let isChange: Bool
  let parse: Parse
}

/// A refusal with a response of the route's own protocol. In a write it undoes what was done.
public struct ExchangeRefusal: Error, Sendable {
  /// The response.
  public let response: Response

  /// A refusal with this response.
  public init(_ response: Response) { self.response = response }
}
