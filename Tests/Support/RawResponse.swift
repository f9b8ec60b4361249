import Foundation

/// An answer as it came over the wire.
public struct RawResponse: Sendable {
  public let status: Int
  /// In order; names as sent.
  public let fields: [(name: String, value: String)]
  public let body: [UInt8]

  public init(status: Int, fields: [(name: String, value: String)], body: [UInt8]) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// A head without its empty line; `nil` where it is none.
  init?(head: some Sequence<UInt8>) {
    let lines = String(decoding: Array(head), as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
      return nil
    }
    self.init(
      status: status,
      fields: lines.dropFirst().compactMap { line in
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let value = line[line.index(after: colon)...].drop { $0 == " " }
        return (String(line[..<colon]), String(value))
      }, body: [])
  }

  func with(body: [UInt8]) -> RawResponse {
    RawResponse(status: status, fields: fields, body: body)
  }

  public subscript(_ name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  public var text: String { String(decoding: body, as: UTF8.self) }

  /// The body as a JSON object; empty where it is none.
  public var json: [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
  }

  /// `items` of a collection.
  public var items: [[String: Any]] { json["items"] as? [[String: Any]] ?? [] }

  /// The body's `id`.
  public var id: Int? { json["id"] as? Int }

  /// The slug of a problem document.
  public var problem: String? {
    (json["type"] as? String).map { String($0.dropFirst("/problems/".count)) }
  }
}
