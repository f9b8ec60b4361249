import MartletHTTP
import MartletStore

extension Request {
  /// Whether the body is too large to be parsed on an event loop, which serves other clients too.
  var isLarge: Bool { body.bytes.count > 16 << 10 }
}

extension ServerDatabase {
  /// Parses a request with a large body on a worker, when it is its client's turn.
  func parse<Work: Sendable>(
    _ request: Request, _ parse: @escaping @Sendable () throws -> Work,
    completion: @escaping @Sendable (Result<Work, any Error>) -> Void
  ) {
    do throws(ReadError) {
      try onWorker(client: request.clientNumber, { _ in try parse() }, completion: completion)
    } catch {
      completion(.failure(error))
    }
  }
}
