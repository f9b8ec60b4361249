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
