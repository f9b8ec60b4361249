import FoundationEssentials
import MartletJSON

/// A response as it came over the wire.
public struct TestResponse: Sendable {
  /// The status code.
  public let status: Int
  /// The header fields in order, with their names as sent.
  public let fields: [(name: String, value: String)]
  /// The body without its transfer coding.
  public let body: [UInt8]

  /// A response made of its parts.
  public init(status: Int, fields: [(name: String, value: String)], body: [UInt8]) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// Parses a head without its empty line. Returns `nil` for bytes that are not an HTTP/1 response.
  init?(head: some Sequence<UInt8>) {
    var lines = String(decoding: Array(head), as: UTF8.self).split(
      separator: "\r\n", omittingEmptySubsequences: false)
    let words = lines.removeFirst().split(separator: " ")
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
      return nil
    }
    self.init(
      status: status,
      fields: lines.compactMap { line in
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let value = line[line.index(after: colon)...].drop { $0 == " " }
        return (String(line[..<colon]), String(value))
      }, body: [])
  }

  func with(body: [UInt8]) -> TestResponse {
    TestResponse(status: status, fields: fields, body: body)
  }

  /// The value of the first field with this name, in any case.
  public subscript(_ name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The body as text.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// The body as a JSON value. Throws a ``TestFailure`` if it is not JSON.
  public var value: JSONValue {
    get throws { try JSONValue.parsed(text) }
  }

  /// The body's JSON decoded as a value of a type. Instants are decoded as RFC 3339.
  public func decode<T: Decodable>(_ type: T.Type = T.self) throws -> T {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try decoder.decode(type, from: Data(body))
  }

  /// The slug of a problem document: `not-found` for `"type": "/problems/not-found"`.
  public var problem: String? {
    guard let type = try? value["type"]?.string, type.hasPrefix("/problems/") else { return nil }
    return String(type.dropFirst("/problems/".count))
  }
}

extension JSONValue {
  static func parsed(_ text: String) throws -> JSONValue {
    do {
      return try JSONValue.parse(text)
    } catch {
      throw TestFailure("\(error): \(text)")
    }
  }
}
