import Foundation
@_exported import MartletTesting

/// A connection that sends exactly the bytes it is given.
public typealias RawClient = TestClient
/// A response as it came over the wire.
public typealias RawResponse = TestResponse

extension TestResponse {
  /// The body as a JSON object; empty if it is not one.
  public var json: [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
  }

  /// `items` of a list.
  public var items: [[String: Any]] { json["items"] as? [[String: Any]] ?? [] }

  /// The body's `id`.
  public var id: Int? { json["id"] as? Int }
}

extension StreamEvent {
  /// `data` as a JSON object; empty if it is not one.
  public var json: [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(data.utf8))) as? [String: Any] ?? [:]
  }
}

/// Waits until a condition holds that other threads bring about. They have the thread of the test
/// meanwhile. Throws a ``TestFailure`` if that takes as long as only a hang does.
public func eventually(
  isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws {
  let deadline = Deadline(Deadline.hang)
  while try await !condition() {
    if deadline.isOver { throw TestFailure("the condition never held") }
    try await Task.sleep(for: .milliseconds(1))
  }
}
