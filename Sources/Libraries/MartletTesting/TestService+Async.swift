import Dispatch
import MartletJSON

/// Requests block the calling thread. In an `async` test that would take a thread from the pool
/// that the service's own tasks need, so there the `async` forms are used, which wait on another
/// thread.
extension TestService {
  /// Sends a request and returns its response.
  public func request(
    _ method: String, _ target: String, _ fields: [(String, String)] = [], body: String? = nil
  ) async throws -> TestResponse {
    let (port, fields) = (port, authorized(fields))
    return try await Blocking.run {
      try TestClient(port: port).request(method, target, fields, body: body)
    }
  }

  /// Sends a `GET` and returns its response.
  public func get(
    _ target: String, _ fields: [(String, String)] = []
  ) async throws -> TestResponse {
    try await request("GET", target, fields)
  }

  /// Sends a `POST` and returns its response.
  public func post(
    _ target: String, _ body: String = "", _ fields: [(String, String)] = []
  ) async throws -> TestResponse {
    try await request("POST", target, fields, body: body)
  }

  /// Sends a `PUT` and returns its response.
  public func put(
    _ target: String, _ body: String = "", _ fields: [(String, String)] = []
  ) async throws -> TestResponse {
    try await request("PUT", target, fields, body: body)
  }

  /// Sends a `PATCH` and returns its response.
  public func patch(
    _ target: String, _ body: String = "", _ fields: [(String, String)] = []
  ) async throws -> TestResponse {
    try await request("PATCH", target, fields, body: body)
  }

  /// Sends a `DELETE` and returns its response.
  public func delete(
    _ target: String, _ fields: [(String, String)] = []
  ) async throws -> TestResponse {
    try await request("DELETE", target, fields)
  }
}

extension TestStream {
  /// Waits for the next event. Throws a ``TestFailure`` if none comes within `seconds`, or when the
  /// stream was refused.
  @discardableResult
  public func next(
    within seconds: Double = Deadline.hang, file: StaticString = #fileID, line: UInt = #line
  ) async throws -> StreamEvent {
    // The caller awaits the result, so nothing else uses the stream meanwhile.
    nonisolated(unsafe) let stream = self
    return try await Blocking.run {
      try stream.waitForNext(seconds, Caller(file: file, line: line))
    }
  }

  /// Waits until the result fulfills `condition` and returns it.
  @discardableResult
  public func wait(
    within seconds: Double = Deadline.hang, file: StaticString = #fileID, line: UInt = #line,
    until condition: @escaping @Sendable (JSONValue) throws -> Bool
  ) async throws -> JSONValue {
    nonisolated(unsafe) let stream = self
    return try await Blocking.run {
      try stream.waitForResult(seconds, Caller(file: file, line: line), condition)
    }
  }
}

/// Runs blocking calls of `async` code on threads of their own.
package enum Blocking {
  package static func run<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T
  {
    try await withCheckedThrowingContinuation { continuation in
      // A serial queue gets a thread even if all threads of the concurrent queues are blocked,
      // which Swift's tasks use as well.
      DispatchQueue(label: "test client").async {
        continuation.resume(with: Result { try body() })
      }
    }
  }
}
