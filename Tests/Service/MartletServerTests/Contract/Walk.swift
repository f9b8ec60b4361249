import Foundation
import TestSupport
import Testing

/// Sends requests, checks their statuses, and collects the responses for
/// `Checks/check-openapi --answers`.
final class Walk {
  private let port: UInt16
  /// Fields of each request.
  let fields: [(String, String)]
  private var client: RawClient
  private(set) var answers: [[String: Any]] = []
  /// The observed operations with their statuses: `GET /v1/lists/{id} 200`.
  private(set) var seen: Set<String> = []
  private(set) var problems: Set<String> = []

  init(port: UInt16, fields: [(String, String)] = []) throws {
    self.port = port
    self.fields = fields
    client = try RawClient(port: port)
  }

  /// Sends a request, checks its status, and records the response.
  ///
  /// - Parameter template: The path of the operation in `openapi.yaml`, if it differs from the
  ///   target.
  @discardableResult
  func call(
    _ expected: Int, _ method: String, _ target: String, of template: String? = nil,
    _ fields: [(String, String)] = [], body: String? = nil, problem: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> RawResponse {
    let answer: RawResponse
    do { answer = try client.request(method, target, self.fields + fields, body: body) } catch {
      client = try RawClient(port: port)
      Issue.record("\(method) \(target): \(error)", sourceLocation: sourceLocation)
      throw error
    }
    if answer["Connection"]?.lowercased() == "close" { client = try RawClient(port: port) }
    if target.hasPrefix("/v1") {
      #expect(answer["X-Request-ID"] != nil, "\(method) \(target)", sourceLocation: sourceLocation)
    }
    keep(answer, method, target, template ?? String(target.prefix { $0 != "?" }))
    #expect(
      answer.status == expected, "\(method) \(target): \(answer.text)",
      sourceLocation: sourceLocation)
    if let problem {
      #expect(answer.problem == problem, "\(method) \(target)", sourceLocation: sourceLocation)
    }
    return answer
  }

  /// Sends bytes that may not be a valid request, on a new connection.
  @discardableResult
  func raw(
    _ expected: Int, _ request: String, of template: String? = nil, problem: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> RawResponse {
    let client = try RawClient(port: port)
    try client.send(request)
    let answer = try client.response()
    let words = request.prefix { $0 != "\r" }.split(separator: " ")
    let target = words.count > 1 && words[1].count < 200 ? String(words[1]) : "/v1/lists"
    keep(answer, words.first.map(String.init) ?? "GET", target, template ?? target)
    #expect(answer.status == expected, "\(answer.text)", sourceLocation: sourceLocation)
    #expect(answer.problem == problem, sourceLocation: sourceLocation)
    return answer
  }

  /// Opens an event stream and records its head.
  func stream(_ target: String, of template: String? = nil) throws {
    let streams = StreamClient(port: port)
    try streams.open(target, fields)
    let event = try #require(streams.event(after: 0))
    #expect(event.event == (target.hasPrefix("/v1/changes") ? "changes" : "result"))
    let head = try #require(streams.streams[0].response)
    keep(head, "GET", target, template ?? String(target.prefix { $0 != "?" }))
  }

  private func keep(
    _ answer: RawResponse, _ method: String, _ target: String, _ template: String
  ) {
    seen.insert("\(method) \(template) \(answer.status)")
    if let problem = answer.problem { problems.insert("/problems/\(problem)") }
    var entry: [String: Any] = ["method": method, "path": target, "status": answer.status]
    entry["contentType"] = answer["Content-Type"]
    entry["headers"] = Dictionary(
      answer.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { $0 + ", " + $1 })
    if !answer.body.isEmpty { entry["body"] = answer.text }
    answers.append(entry)
  }

  /// The responses as newline-delimited JSON.
  func ndjson() throws -> String {
    try answers.map {
      String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self) + "\n"
    }.joined()
  }
}
